/** The sheets about who uses the device, and the screens that end its use. */
export { ApprovalSheet } from "./approval-sheet.tsx";
export { EndedScreen, OtherTab } from "./ended-screen.tsx";
export { PersonSheet } from "./person-sheet.tsx";
