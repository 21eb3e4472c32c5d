import { useEffect, useMemo } from "react";
import { editLeaseOf } from "../../lib/edit-lease.ts";
import { useTerminal } from "../../lib/pos.ts";

/** To be called with the check of each edit that is made here; its lease is released when this shows another. */
export function useEditLease(posReference: string | undefined): (edited: string) => void {
  const terminal = useTerminal();
  useEffect(() => {
    if (posReference === undefined) return;
    return () => editLeaseOf(terminal).done(posReference);
  }, [terminal, posReference]);
  return useMemo(() => (edited: string) => editLeaseOf(terminal).edited(edited), [terminal]);
}
