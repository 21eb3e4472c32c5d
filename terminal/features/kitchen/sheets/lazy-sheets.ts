import { lazyPart } from "@comanda/ui/lazy-part.ts";

/** Everything on the kitchen screen other than its tickets loads after them, which keeps the first load short. */
const sheets = () => import("./kitchen-sheets.tsx");

export const LineSheet = lazyPart(async () => (await sheets()).LineSheet);
export const OptionsSheet = lazyPart(async () => (await sheets()).OptionsSheet);
export const RecallSheet = lazyPart(async () => (await sheets()).RecallSheet);
export const AllDaySheet = lazyPart(async () => (await sheets()).AllDaySheet);
export const AllDayList = lazyPart(async () => (await sheets()).AllDayList);
export const FinishedTicket = lazyPart(async () => (await sheets()).FinishedTicket);
export const BumpBarKeys = lazyPart(async () => (await sheets()).BumpBarKeys);
export const ShiftBar = lazyPart(async () => (await sheets()).ShiftBar);
export const RingTickets = lazyPart(async () => (await sheets()).RingTickets);
export const StaleBar = lazyPart(async () => (await sheets()).StaleBar);
