import { lazyPart } from "@comanda/ui/lazy-part.ts";

/** Named once: each import adds its list of files to the first load. */
const sheets = () => import("./staff-sheets.ts");

export const ApprovalSheet = lazyPart(sheets, "ApprovalSheet");
export const EndedScreen = lazyPart(sheets, "EndedScreen");
export const OtherTab = lazyPart(sheets, "OtherTab");
export const PersonSheet = lazyPart(sheets, "PersonSheet");
