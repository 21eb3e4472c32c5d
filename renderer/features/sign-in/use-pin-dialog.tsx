import type { OperatorUser } from "@comanda/protocol";
import { type ReactNode, useState } from "react";
import { useSession } from "../../lib/session.ts";
import { PinDialog } from "./pin-dialog.tsx";

/**
 * Returns the PIN dialog of the signed-in manager, to be rendered, and the function that opens it. The dialog closes if the
 * manager changes: the next one must not get a half-typed PIN.
 */
export function usePinDialog(): [dialog: ReactNode, open: () => void] {
  const session = useSession();
  const userId = session.state === "out" ? null : session.user.id;
  const [openFor, setOpenFor] = useState<OperatorUser["id"] | null>(null);
  if (openFor !== null && openFor !== userId) setOpenFor(null);
  const dialog = openFor !== null && <PinDialog key={openFor} onClose={() => setOpenFor(null)} />;
  return [dialog, () => setOpenFor(userId)];
}
