import type { OperatorUser } from "@comanda/protocol";
import { type ReactNode, useState } from "react";
import { useSession } from "../../lib/session.ts";
import { PinDialog } from "./pin-dialog.tsx";

/**
 * The dialog for the PIN of the manager who is signed in, to be rendered, and the function that opens it. It goes with that
 * manager: the next one neither finds it open nor gets the PIN that was being typed.
 */
export function usePinDialog(): [dialog: ReactNode, open: () => void] {
  const session = useSession();
  const userId = session.state === "out" ? null : session.user.id;
  const [openFor, setOpenFor] = useState<OperatorUser["id"] | null>(null);
  if (openFor !== null && openFor !== userId) setOpenFor(null);
  const dialog = openFor !== null && <PinDialog key={openFor} onClose={() => setOpenFor(null)} />;
  return [dialog, () => setOpenFor(userId)];
}
