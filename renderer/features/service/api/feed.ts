import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** What happened lately, newest first; the stream adds to it. */
export function useFeed() {
  return useQuery(hubQuery("feed", {}));
}
