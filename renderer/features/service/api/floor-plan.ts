import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** The floors with every table's live state; tables are patched by the stream. */
export function useFloorPlan() {
  return useQuery(hubQuery("floorPlan", {}));
}
