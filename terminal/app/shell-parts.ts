/** What stands around the screens only when something is wrong: it comes after the first screen. */
export { PinAgain } from "../features/staff/pin-again.tsx";
export { PrintTrouble } from "../features/prints/print-trouble.tsx";
