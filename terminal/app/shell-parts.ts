/** What is around the screens only when something is wrong or gets ready: it comes after the first screen. */
export { OutboxBadge } from "../features/conflicts/outbox-badge.tsx";
export { PinAgain } from "../features/staff/pin-again.tsx";
export { RingReady } from "../features/floor/ring-ready.ts";
export { PrintTrouble } from "../features/prints/print-trouble.tsx";
