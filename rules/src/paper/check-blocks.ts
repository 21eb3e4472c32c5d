import type { Block, Snapshot, StoredLine } from "@comanda/protocol";
import { modifierNames } from "../checks/modifiers-of.ts";
import { costOf, equalsWithin, fromCents, proportionOf, subtract, sum, toCents } from "../money/amounts.ts";
import { fullPrice } from "../money/pricing/extras-of.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { taxesByName } from "../money/pricing/taxes-by-name.ts";
import { splitAmount } from "../money/split.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import type { PaperContext } from "./paper-context.ts";
import { centered, joinFacts, placeName, row, RULE, text } from "./pieces.ts";

/** Tolerance for one amount, because a line's parts and taxes are rounded separately. */
const ROUNDED = 0.02;

/** Name of tax that cannot be attributed. */
export const OTHER_TAXES = "Otros impuestos";

/** The seller, as the tax office requires it on every receipt. */
export function companyBlocks({ company }: PaperContext): Block[] {
  const { name, legalName, rnc, address, phone } = company;
  return [
    ...(name === "" ? [] : [centered(name, { size: "tall", bold: true })]),
    ...(legalName === undefined || legalName === name ? [] : [centered(legalName)]),
    ...(rnc === undefined ? [] : [centered(`RNC ${rnc}`)]),
    ...(address === undefined ? [] : [centered(address)]),
    ...(phone === undefined ? [] : [centered(`Tel. ${phone}`)]),
  ];
}

/** Identifies the check and its waiter. */
export function checkBlocks(snapshot: Snapshot, context: PaperContext): Block[] {
  const { checkNumber = null, ticketNumber = null, staffName, customerName, guestCount, orderType } = snapshot;
  const place = placeName({ ...snapshot, checkNumber, ticketNumber }, context);
  const guests = orderType === "dine_in" && guestCount > 0 && `${guestCount} pers.`;
  return [
    text(joinFacts([place, checkNumber !== null && `Cuenta ${checkNumber}`, guests])),
    ...(customerName == null || customerName === "" ? [] : [text(`A nombre de: ${customerName}`)]),
    ...(staffName == null || staffName === "" ? [] : [text(`Le atendió: ${staffName}`)]),
  ];
}

/** The charged lines with quantity and the menu's prices. Taxes on top of these are listed below. */
export function lineBlocks(snapshot: Pick<Snapshot, "lines" | "orderType">, context: PaperContext): Block[] {
  return snapshot.lines
    .filter((line) => chargedQuantity(line) > 0)
    .flatMap((line) => {
      const quantity = chargedQuantity(line);
      const amount = priceOf(line, snapshot.orderType, context);
      return soldBlocks(
        `${context.format.quantity(quantity)} ${context.dishName(line)}`,
        { quantity, amount, line },
        context,
      );
    });
}

function soldBlocks(
  name: string,
  { quantity, amount, line }: { quantity: number; amount: number; line: StoredLine },
  { format }: PaperContext,
): Block[] {
  const indent = 2;
  const each =
    quantity === 1 ? [] : [`${format.quantity(quantity)} x ${format.amount(priceOfOne(line, quantity, amount))}`];
  const details = [...modifierNames(line["modifiers"]).map((modifier) => `+ ${modifier}`), ...each];
  return [row(name, format.amount(amount)), ...details.map((detail) => row(detail, "", { indent }))];
}

/** Returns the price of one with its modifiers, or its proportion of the amount if the line costs something else. */
function priceOfOne(line: StoredLine, quantity: number, amount: number): number {
  const price = fullPrice(line);
  return equalsWithin(costOf(price, quantity), amount, ROUNDED) ? price : proportionOf(amount, 1, quantity);
}

/** Returns the cost of a line without the taxes on top of the menu's price. */
function priceOf(line: StoredLine, orderType: Snapshot["orderType"], { taxes }: PaperContext): number {
  const included = new Set(taxes.taxes.filter((tax) => tax.included).map(({ name }) => name));
  const onTop = taxesByName({ lines: [line], orderType }, taxes, OTHER_TAXES)
    .filter(({ name }) => !included.has(name))
    .reduce((sum, { cents }) => sum + cents, 0);
  return fromCents(toCents(lineTotal(line)) - onTop);
}

const adjustmentNames = {
  discount: "Descuento",
  tip: "Propina voluntaria",
  service: "Servicio",
  rounding: "Redondeo",
} as const;

/** Distributes the tax over the lines if another system states it only for the whole check; its kind is then unknown. */
export function withTaxOfLines(snapshot: Snapshot): Snapshot {
  const { lines, totals } = snapshot;
  const weights = lines.map((line) => (line.voided === true ? 0 : Math.max(0, lineTotal(line))));
  const hasLineTaxes = lines.some(({ voided, taxAmount = 0 }) => voided !== true && toCents(taxAmount) !== 0);
  if (hasLineTaxes || weights.every((weight) => weight === 0)) return snapshot;
  const parts = splitAmount(totals.tax, weights);
  return { ...snapshot, lines: lines.map((line, index) => ({ ...line, taxIds: [], taxAmount: parts[index] ?? 0 })) };
}

/** The net sum, each tax and the legal tip by name, and the adjustments that change it. Together they are the total. */
export function sumBlocks(snapshot: Snapshot, context: PaperContext): Block[] {
  const { totals, adjustments = [] } = snapshot;
  const charged = taxesByName(withTaxOfLines(snapshot), context.taxes, OTHER_TAXES).map(({ name, cents }) => {
    return { name, amount: fromCents(cents) };
  });
  const adjusted = adjustments
    .map(({ kind, amount, reason }) => ({ name: joinFacts([adjustmentNames[kind], reason]), amount }))
    // A discount may be limited to nothing.
    .filter(({ amount }) => toCents(amount) !== 0);
  return totalBlocks(totals.total, [...charged, ...adjusted], context);
}

/** A total below its named parts; the rest is the subtotal. */
export function totalBlocks(
  total: number,
  parts: readonly { name: string; amount: number }[],
  { format }: PaperContext,
): Block[] {
  const rest = subtract(total, sum(parts.map(({ amount }) => amount)));
  return [
    RULE,
    row("Subtotal", format.amount(rest)),
    ...parts.map(({ name, amount }) => row(name, format.amount(amount))),
    row("TOTAL", format.money(total), { size: "large", bold: true }),
  ];
}
