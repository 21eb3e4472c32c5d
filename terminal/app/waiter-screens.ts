// What a waiter goes through from the table to the payment, in one part: the first load has the name of every part.
export { BillScreen } from "../features/pay/bill-screen.tsx";
export { PayScreen } from "../features/pay/pay-screen.tsx";
export { CheckScreen } from "./order/check-screen.tsx";
export { NewTakeawayScreen } from "./order/new-takeaway-screen.tsx";
export { TableScreen } from "./order/table-screen.tsx";
export { TakeawayPlace } from "./order/takeaway-place.tsx";
