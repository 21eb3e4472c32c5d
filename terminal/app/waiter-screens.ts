// The screens of waiters and cashiers, in one chunk: the first load contains the name of every chunk.
export { BillScreen } from "../features/pay/bill-screen.tsx";
export { PayScreen } from "../features/pay/pay-screen.tsx";
export { CheckScreen } from "./order/check-screen.tsx";
export { NewTakeawayScreen } from "./order/new-takeaway-screen.tsx";
export { TableScreen } from "./order/table-screen.tsx";
export { TakeawayPlace } from "./order/takeaway-place.tsx";
export { ConflictsScreen } from "../features/conflicts/conflicts-screen.tsx";
export { DeviceScreen } from "../features/device/device-screen.tsx";
export { TillScreen } from "../features/till/till-screen.tsx";
export { RecentScreen } from "../features/recent/recent-screen.tsx";
