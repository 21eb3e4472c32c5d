/** What stands around the screens only when something is wrong: it comes after the first screen. */
export { OutboxBadge } from "../features/conflicts/outbox-badge.tsx";
export { PinAgain } from "../features/staff/pin-again.tsx";
export { PrintTrouble } from "../features/prints/print-trouble.tsx";
