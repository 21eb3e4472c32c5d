// The parts of the shell that are rarely shown; they load after the first screen.
import { RingReady } from "../features/floor/ring-ready.ts";
import { useNoDraftOfOthers } from "../lib/page/form-draft.ts";
import { PinAgain } from "../features/staff/pin-again.tsx";
export { OutboxBadge } from "../features/conflicts/outbox-badge.tsx";
export { PrintTrouble } from "../features/prints/print-trouble.tsx";

/** What waits for something to happen, wherever the user is. */
export function Waiting() {
  useNoDraftOfOthers();
  return (
    <>
      <PinAgain />
      <RingReady />
    </>
  );
}
