import { lazyPart } from "@comanda/ui/lazy-part.ts";

/** Everything on the kitchen screen other than its tickets loads after them, which keeps the first load short. */
const sheets = () => import("./kitchen-sheets.tsx");

export const LineSheet = lazyPart(sheets, "LineSheet");
export const OptionsSheet = lazyPart(sheets, "OptionsSheet");
export const RecallSheet = lazyPart(sheets, "RecallSheet");
export const AllDaySheet = lazyPart(sheets, "AllDaySheet");
export const AllDayList = lazyPart(sheets, "AllDayList");
export const FinishedTicket = lazyPart(sheets, "FinishedTicket");
export const BumpBarKeys = lazyPart(sheets, "BumpBarKeys");
export const ShiftBar = lazyPart(sheets, "ShiftBar");
export const RingTickets = lazyPart(sheets, "RingTickets");
export const StaleBar = lazyPart(sheets, "StaleBar");
