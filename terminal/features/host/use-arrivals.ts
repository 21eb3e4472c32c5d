import { useEffect } from "react";
import { useLive } from "../../lib/pos.ts";
import type { Party } from "./party.ts";

/** Checks whose guests this page has marked: what the booking system says after that stands. */
const marked = new Set<string>();

/**
 * Marks guests as seated once the hub has a check that names them, so that they are not late again when the check is paid and
 * gone. A device that was offline when they sat down does so as soon as the hub is back.
 */
export function useArrivals(parties: readonly Party[]): void {
  const isOnline = useLive("connection").name === "online";
  useEffect(() => {
    if (!isOnline) return;
    for (const { check, isMarked, mark } of parties) {
      if (isMarked || check === null || check.pending > 0 || marked.has(check.posReference)) continue;
      marked.add(check.posReference);
      // The list shows them as seated by their check all the same, and another look tries again.
      mark(true).catch(() => marked.delete(check.posReference));
    }
  }, [isOnline, parties]);
}
