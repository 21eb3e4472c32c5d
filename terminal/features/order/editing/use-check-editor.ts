import type { LocalOrder } from "@comanda/terminal";
import { useMemo, useState, useEffect } from "react";
import type { CheckDraft } from "../../../checks/new-check.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { useStable } from "../../../lib/page/use-stable.ts";
import { editorOf, type CheckEditor } from "./check-editor.ts";
import { editLeaseOf } from "../../../lib/connection/edit-lease.ts";

/**
 * The editor of a check that is there, or of one that its first line makes, and how many guests it is for. The editor stays
 * the same, so that what only calls it is not drawn again with each tap.
 */
export function useCheckEditor(
  menu: MenuIndex,
  {
    order,
    draft: given,
    onOpened,
  }: {
    order: LocalOrder | undefined;
    draft: CheckDraft;
    /** The first line has made the check. */
    onOpened: ((posReference: string) => void) | undefined;
  },
): { editor: CheckEditor; guests: number; setGuests: (guests: number) => void } {
  const terminal = useTerminal();
  const [guestsBefore, setGuestsBefore] = useState(given.guestCount ?? 1);
  const draft = { ...given, guestCount: guestsBefore };
  const now = editorOf(terminal, menu, { order, draft });
  const hold = useEditLease(order?.posReference);
  /** First the edit, which the finger waits for. */
  const holding =
    <Given extends unknown[], Answer>(edit: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      const answer = edit(...given);
      if (order !== undefined) hold(order.posReference);
      return answer;
    };
  const add = useStable<Parameters<CheckEditor["add"]>, string | null>((product, choice) => {
    const posReference = now.add(product, choice);
    if (posReference !== null) hold(posReference);
    if (posReference !== null && order === undefined) onOpened?.(posReference);
    return posReference;
  });
  const setQuantity = useStable(holding(now.setQuantity));
  const choose = useStable(holding(now.choose));
  const remove = useStable(holding(now.remove));
  const setGuests = useStable(holding(now.setGuests));
  const editor = useMemo(
    (): CheckEditor => ({ add, setQuantity, choose, remove, setGuests }),
    [add, setQuantity, choose, remove, setGuests],
  );
  return {
    editor,
    guests: order?.snapshot.guestCount ?? guestsBefore,
    setGuests: order === undefined ? setGuestsBefore : setGuests,
  };
}

/** To be called with the check of each edit that is made here; its lease is released when this shows another. */
function useEditLease(posReference: string | undefined): (edited: string) => void {
  const terminal = useTerminal();
  useEffect(() => {
    if (posReference === undefined) return;
    return () => editLeaseOf(terminal).done(posReference);
  }, [terminal, posReference]);
  return useMemo(() => (edited: string) => editLeaseOf(terminal).edited(edited), [terminal]);
}
