/**
 * The rules of service: pure functions over plain data, shared by the hub, the terminals, the screens and the back-office
 * stand-in. They depend on no schema library and not on Node.
 */
export {
  costOf,
  equalsWithin,
  fromCents,
  proportionOf,
  subtract,
  sum,
  toCents,
  wholePercentOf,
} from "./money/amounts.ts";
export * from "./money/due/amount-due.ts";
export { missingMoney } from "./money/due/missing-money.ts";
export * from "./money/cash/cash.ts";
export * from "./money/cash/foreign-cash.ts";
export { foreignProposals } from "./money/cash/foreign-proposals.ts";
export * from "./money/due/next-payment.ts";
export * from "./money/due/parts.ts";
export * from "./money/pricing/price-line.ts";
export * from "./money/pricing/price-order.ts";
export * from "./money/split.ts";
export { splitQuantity } from "./money/split-quantity.ts";
export * from "./money/pricing/sum-of-lines.ts";
export * from "./money/pricing/taxes-by-name.ts";
export * from "./money/due/tip.ts";
export * from "./money/pricing/discounts.ts";
export { extrasOf } from "./money/pricing/extras-of.ts";
export * from "./money/pricing/limit-discounts.ts";
export * from "./money/pricing/line-total.ts";
export * from "./money/pricing/totals-agree.ts";
export * from "./payments/brought-payments.ts";
export * from "./payments/charged-lines.ts";
export * from "./payments/money-on-check.ts";
export * from "./payments/pay-check.ts";
export {
  cashMethodsOf,
  creditAmong,
  namesChange,
  type PaymentMethods,
  unknownMethodAt,
} from "./payments/payment-methods.ts";
export { amountOf, cutToDue, excessOf, settleAmounts, type AmountRefusal } from "./payments/settle-amounts.ts";
export { paymentsOf } from "./payments/payments-of.ts";
export { valueAtOwnRates } from "./payments/value-foreign.ts";
export { acceptPayments, withPayments, withTenders } from "./payments/take-payment.ts";
export type { TakingRefusal } from "./payments/taking-refusal.ts";
export * from "./fiscal/electronic-receipt.ts";
export * from "./fiscal/ncf-sequences.ts";
export { isForBuyer, needsRnc, saleTypes, type SaleKind } from "./fiscal/sale-types.ts";
export * from "./refunds/refund.ts";
export * from "./refunds/refund-amounts.ts";
export * from "./refunds/refund-plan.ts";
export { discountNumbers } from "./sales/line-values.ts";
export { createSalesReport } from "./sales/sales-report.ts";
export { groupReductions } from "./sales/reductions.ts";
export { comparedWith, isWithinTolerance, problemOfCount, type CountProblem } from "./till/count.ts";
export * from "./till/shift-money.ts";
export * from "./till/till-rules.ts";
export * from "./till/tips.ts";
export { noTakings, withRefunds, withTaking } from "./sales/takings.ts";
export { apply, type ServiceMutation } from "./apply.ts";
export type { GuestRecord, HubKnowledge, RuleContext, RuleMenu } from "./context.ts";
export type { ServiceState } from "./state.ts";
export { errorCodes } from "./error-codes.ts";
export { refundErrorCodes } from "./refunds/refund-error-codes.ts";
export * from "./outcome.ts";
export { beginningFacts, orderFacts } from "./checks/order-facts.ts";
export { modifierNames, modifiersOf } from "./checks/modifiers-of.ts";
export { ownName } from "./checks/own-name.ts";
export { placeOf } from "./checks/place-of.ts";
export { type Contact, contactOf } from "./checks/contact.ts";
export { CONTACT } from "./checks/promised-at.ts";
export type { CheckOnTable } from "./checks/check-on-table.ts";
export type { CheckRefusal } from "./checks/check-refusal.ts";
export { guestRecordKey } from "./checks/guest-record.ts";
export * from "./checks/guards.ts";
export { patchCheck } from "./checks/patch.ts";
export { mergePluginData } from "./checks/plugin-data.ts";
export { revert } from "./checks/revert.ts";
export { partyOf } from "./checks/party.ts";
export { seatedFirst, seatedSince } from "./checks/seated-since.ts";
export { nextCheckNumber, tablesOf } from "./checks/tables-of.ts";
export { countDown, type ItemOut, isAvailable, itemStateOf, type Stock } from "./kitchen/item-states.ts";
export { addressOfShare, type DishPlace, isOnItsWay, placesOf } from "./kitchen/dish-places.ts";
export { hasOtherProduct } from "./kitchen/find-dishes.ts";
export { shareState } from "./kitchen/share-state.ts";
export { type KitchenChanges, kitchenChanges } from "./kitchen/kitchen-changes.ts";
export { createKitchenDraft, type KitchenDraft, type PlacedTicket } from "./kitchen/kitchen-draft.ts";
export { isOnPaper, withKitchenFields } from "./kitchen/kitchen-fields.ts";
export { cancelWork, canTakeBack } from "./kitchen/kitchen-write.ts";
export * from "./kitchen/line-quantities.ts";
export { addressOf, type LineToSend, makeTickets, stationOf } from "./kitchen/make-tickets.ts";
export type { KitchenRefusal } from "./kitchen/kitchen-refusal.ts";
export { type KitchenRights, type SentLinesRefusal, takeBackVoid } from "./kitchen/place-shares.ts";
export { putOnPaper } from "./kitchen/paper.ts";
export * from "./kitchen/progress.ts";
export * from "./kitchen/remake-tickets.ts";
export { dishKey, freeLineId } from "./kitchen/reword-tickets.ts";
export {
  activeQuantity,
  checksOf,
  lineKey,
  type Part as KitchenPart,
  partsByLine,
  remainingQuantity,
  setPrepared,
  setVoid,
  setVoidTotal,
  totalOf,
  voidOf,
} from "./kitchen/shares.ts";
export { ONLY_STATION } from "./kitchen/stations.ts";
export { settleTicket } from "./kitchen/ticket-state.ts";
export { without } from "./without.ts";
export { isSame } from "./same.ts";
export { layOut, type PaperLine } from "./paper/lay-out.ts";
export { type PaperContext, createPaperContext } from "./paper/paper-context.ts";
export { withMark as marked } from "./paper/pieces.ts";
export { type SlipKind, type StationSlip, stationSlip, ticketCode } from "./paper/station-slip.ts";
export { slipsOf, type TicketSlip } from "./paper/ticket-slips.ts";
export { bill, type Bill } from "./paper/bill.ts";
export { receipt, replacesReceipt } from "./paper/receipt.ts";
export { awaitsAnswer } from "./paper/fiscal-form.ts";
export { creditNote } from "./paper/credit-note.ts";
export { type DrawerOpening, drawerSlip } from "./paper/drawer-slip.ts";
export { blindShiftPaper, shiftPaper } from "./paper/shift-paper.ts";
