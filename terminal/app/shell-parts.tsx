/** The parts of the shell that are rarely shown; they load after the first screen. */
export { OutboxBadge } from "../features/conflicts/outbox-badge.tsx";
export { PinAgain } from "../features/staff/pin-again.tsx";
export { RingReady } from "../features/floor/ring-ready.ts";
export { PrintTrouble } from "../features/prints/print-trouble.tsx";
