// The parts of the shell that the first screen does not show yet; they load after it.
import { RingReady } from "../features/floor/ring-ready.ts";
import { useNoDraftOfOthers } from "../lib/page/form-draft.ts";
import { PinAgain } from "../features/staff/pin-again.tsx";
export { NoticeChip } from "../components/notice-chip.tsx";
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
