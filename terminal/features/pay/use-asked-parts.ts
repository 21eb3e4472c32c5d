import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { readParts } from "./parts.ts";

/** How the address asks to divide the check; it is cleaned, because the next check is not meant. */
export function useAskedParts(posReference: string): ReturnType<typeof readParts> {
  const [asked] = useState(() => readParts(location.search));
  const [, go] = useLocation();
  useEffect(() => {
    if (asked !== null) go(`/pay/${encodeURIComponent(posReference)}?`, { replace: true });
  }, [asked, posReference, go]);
  return asked;
}
