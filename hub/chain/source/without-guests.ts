import { isDeepStrictEqual } from "node:util";
import { type OrderRemoval, Snapshot, type StoredLine, type StoredOrder, TerminalLine } from "@comanda/protocol";
import { discountNumbers, extrasOf, lineDiscount } from "@comanda/rules";

type Fields = Readonly<Record<string, unknown>>;

/** A terminal may add fields: only those known to identify no guest are sent. */
const GUEST_FIELDS = new Set(["customerName", "notes", "pluginData"]);
/** When and by whom the check was settled: headquarters count it in that hour. */
const PAID_FIELDS = ["paidAt", "paidBy"];
const snapshotFields = [...Object.keys(Snapshot.shape), ...PAID_FIELDS].filter((name) => !GUEST_FIELDS.has(name));

/** What a person wrote for or about the guest. */
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
 * Returns a check as headquarters receive it: without guests' names, phones and tax ids, and without notes for them. With
 * `sharesGuests`, only plugin records are removed.
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
  // The picked fields come from a stored order, so the type holds.
  return { ...head, snapshot: content as StoredOrder["snapshot"], ...(forward !== undefined && { forward }) };
}

/** Whether two checks differ only in fields that headquarters do not receive. */
export function isSameButGuests(a: StoredOrder, b: StoredOrder | OrderRemoval): boolean {
  return "snapshot" in b && isDeepStrictEqual(withoutGuests(a, false).snapshot, withoutGuests(b, false).snapshot);
}

/** Returns the numbers that a terminal writes beside a line's price, from which a discount's amount is known. */
function numbersOf(line: StoredLine): Fields {
  const forms = (["percent", "amount"] as const).filter((form) => lineDiscount(line, form) > 0);
  // The name that another system gives the discount is its writer's own text.
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
