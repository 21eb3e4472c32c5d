import type { LocalOrder } from "@comanda/terminal";
import { useMemo, useState, useEffect } from "react";
import type { CheckDraft } from "../../../checks/new-check.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { useStable } from "../../../lib/page/use-stable.ts";
import { editorOf, type CheckEditor } from "./check-editor.ts";
import { editLeaseOf } from "../../../lib/connection/edit-lease.ts";

/**
 * Returns the editor of a check, or of one that its first line opens, and its number of guests. The editor's functions are
 * stable, so that components that only call them do not render again with each tap.
 */
export function useCheckEditor(
  menu: MenuIndex,
  {
    order,
    draft: checkDraft,
    onOpened,
  }: {
    order: LocalOrder | undefined;
    draft: CheckDraft;
    /** Called when the first line has opened the check. */
    onOpened: ((posReference: string) => void) | undefined;
  },
): { editor: CheckEditor; guests: number; setGuests: (guests: number) => void } {
  const terminal = useTerminal();
  const [guestsBefore, setGuestsBefore] = useState(checkDraft.guestCount ?? 1);
  const draft = { ...checkDraft, guestCount: guestsBefore };
  const now = editorOf(terminal, menu, { order, draft });
  const hold = useEditLease(order?.posReference);
  /** Edits before it requests the lease, so that the tap responds at once. */
  const holding =
    <Args extends unknown[], Answer>(edit: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      const answer = edit(...args);
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

/** Returns a function to call with the check of each edit. Releases the lease when the screen shows another check. */
function useEditLease(posReference: string | undefined): (edited: string) => void {
  const terminal = useTerminal();
  useEffect(() => {
    if (posReference === undefined) return;
    return () => editLeaseOf(terminal).done(posReference);
  }, [terminal, posReference]);
  return useMemo(() => (edited: string) => editLeaseOf(terminal).edited(edited), [terminal]);
}
