import { isDeepStrictEqual } from "node:util";
import { type OrderRemoval, Snapshot, type StoredLine, type StoredOrder, TerminalLine } from "@comanda/protocol";
import { discountNumbers, extrasOf, lineDiscount } from "@comanda/rules";

type Fields = Readonly<Record<string, unknown>>;

/** A terminal's content is an open set: only what is known to name no guest travels. */
const GUEST_FIELDS = new Set(["customerName", "notes", "pluginData"]);
/** When and by whom it was settled: the hour that headquarters count it for. */
const PAID_FIELDS = ["paidAt", "paidBy"];
const snapshotFields = [...Object.keys(Snapshot.shape), ...PAID_FIELDS].filter((name) => !GUEST_FIELDS.has(name));

/** What a person wrote for the guest, or of them. */
const GUEST_LINE_FIELDS = new Set(["note", "specialRequest", "allergy"]);
const lineFields = [...Object.keys(TerminalLine.shape), "name", "productName", "kitchenSentAt", "sentQuantity"]
  .concat(["sentVoidedQuantity", "preparedQuantity", "queuedAt", "soldOut", "menuCheck"])
  .filter((name) => !GUEST_LINE_FIELDS.has(name));

const tenderFields = [
  "methodId",
  "amount",
  "tendered",
  "change",
  "tip",
  "foreign",
  "tenderId",
  "takenAt",
  "takenBy",
].concat(["terminalId", "isUnchecked", "voided"]);
const fiscalFields = ["status", "type", "expiresOn", "errorCode", "contingency"];
const receiptFields = ["ncf", "signedAt", "status"];

/**
 * A check as headquarters get it: without names, phones and tax ids of guests, and without what was written for them. With
 * `sharesGuests` only the records of plugins stay at the restaurant.
 */
export function withoutGuests(order: StoredOrder, sharesGuests: boolean): StoredOrder {
  const { snapshot } = order;
  if (sharesGuests) {
    const { pluginData: _, ...content } = snapshot;
    return { ...order, snapshot: content };
  }
  const { payments, tenders, fiscal } = snapshot;
  const content = {
    ...pick(snapshot, snapshotFields),
    lines: snapshot.lines.map((line) => ({ ...pick(line, lineFields), ...numbersOf(line) })),
    ...(payments !== undefined && { payments: payments.map((payment) => pick(payment, tenderFields)) }),
    ...(tenders !== undefined && { tenders: tenders.map((tender) => pick(tender, tenderFields)) }),
    ...(fiscal !== undefined && {
      fiscal: {
        ...pick(fiscal, fiscalFields),
        ...(fiscal.ecf !== undefined && { ecf: pick(fiscal.ecf, receiptFields) }),
      },
    }),
  };
  const { posReference, version, tableId, terminalId, createdAt, updatedAt, forward } = order;
  const head = { posReference, version, tableId, terminalId, createdAt, updatedAt };
  // What was picked of a stored order are fields of one.
  return { ...head, snapshot: content as StoredOrder["snapshot"], ...(forward !== undefined && { forward }) };
}

/** Whether they differ in nothing but what headquarters do not get. */
export function isSameButGuests(one: StoredOrder, other: StoredOrder | OrderRemoval): boolean {
  return (
    "snapshot" in other && isDeepStrictEqual(withoutGuests(one, false).snapshot, withoutGuests(other, false).snapshot)
  );
}

/** What a terminal writes beside the price of a line: its numbers, without which nobody knows what a discount took off. */
function numbersOf(line: StoredLine): Fields {
  const forms = (["percent", "amount"] as const).filter((form) => lineDiscount(line, form) > 0);
  // The name that another system has for it is its writer's own text.
  const [value] = discountNumbers(line);
  const discount =
    forms.length > 0 ? Object.fromEntries(forms.map((form) => [form, lineDiscount(line, form)])) : { value };
  const modifiers = extrasOf(line).map(({ price, quantity }) => ({ price, quantity }));
  return { ...(value !== undefined && { discount }), ...(modifiers.length > 0 && { modifiers }) };
}

function pick(from: Fields, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
