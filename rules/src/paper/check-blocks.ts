import type { Block, Snapshot, StoredLine } from "@comanda/protocol";
import { modifierNames } from "../checks/modifiers-of.ts";
import { costOf, equalsWithin, fromCents, proportionOf, subtract, sum, toCents } from "../money/amounts.ts";
import { fullPrice } from "../money/pricing/extras-of.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { taxesByName } from "../money/pricing/taxes-by-name.ts";
import { splitAmount } from "../money/split.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import type { PaperHouse } from "./paper-house.ts";
import { centered, joined, placeName, row, RULE, text } from "./pieces.ts";

/** The parts of a line add up to it, and each of its taxes is rounded: one amount may be this much off. */
const ROUNDED = 0.02;

/** What tax of unknown kind is called. */
export const OTHER_TAXES = "Otros impuestos";

/** Who sells, as the tax office wants it named on each receipt. */
export function companyBlocks({ company }: PaperHouse): Block[] {
  const { name, legalName, rnc, address, phone } = company;
  return [
    ...(name === "" ? [] : [centered(name, { size: "tall", bold: true })]),
    ...(legalName === undefined || legalName === name ? [] : [centered(legalName)]),
    ...(rnc === undefined ? [] : [centered(`RNC ${rnc}`)]),
    ...(address === undefined ? [] : [centered(address)]),
    ...(phone === undefined ? [] : [centered(`Tel. ${phone}`)]),
  ];
}

/** Which check it is, and who served it. */
export function checkBlocks(snapshot: Snapshot, house: PaperHouse): Block[] {
  const { checkNumber = null, ticketNumber = null, staffName, customerName, guestCount, orderType } = snapshot;
  const place = placeName({ ...snapshot, checkNumber, ticketNumber }, house);
  const guests = orderType === "dine_in" && guestCount > 0 && `${guestCount} pers.`;
  return [
    text(joined([place, checkNumber !== null && `Cuenta ${checkNumber}`, guests])),
    ...(customerName == null || customerName === "" ? [] : [text(`A nombre de: ${customerName}`)]),
    ...(staffName == null || staffName === "" ? [] : [text(`Le atendió: ${staffName}`)]),
  ];
}

/** What is charged, each with quantity and price, in the amounts that the menu has: taxes on top of them stand below. */
export function lineBlocks(snapshot: Pick<Snapshot, "lines" | "orderType">, house: PaperHouse): Block[] {
  return snapshot.lines
    .filter((line) => chargedQuantity(line) > 0)
    .flatMap((line) => {
      const quantity = chargedQuantity(line);
      const amount = priceOf(line, snapshot.orderType, house);
      return soldBlocks(
        `${house.format.quantity(quantity)} ${house.dishName(line)}`,
        { quantity, amount, line },
        house,
      );
    });
}

function soldBlocks(
  name: string,
  { quantity, amount, line }: { quantity: number; amount: number; line: StoredLine },
  { format }: PaperHouse,
): Block[] {
  const indent = 2;
  const each =
    quantity === 1 ? [] : [`${format.quantity(quantity)} x ${format.amount(priceOfOne(line, quantity, amount))}`];
  const details = [...modifierNames(line["modifiers"]).map((modifier) => `+ ${modifier}`), ...each];
  return [row(name, format.amount(amount)), ...details.map((detail) => row(detail, "", { indent }))];
}

/** The price of one, with what was chosen with it; where the line costs anything else than that, its part of the amount. */
function priceOfOne(line: StoredLine, quantity: number, amount: number): number {
  const price = fullPrice(line);
  return equalsWithin(costOf(price, quantity), amount, ROUNDED) ? price : proportionOf(amount, 1, quantity);
}

/** What a line costs without the taxes that come on top of the menu's price. */
function priceOf(line: StoredLine, orderType: Snapshot["orderType"], { taxes }: PaperHouse): number {
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

/** Another system may say what tax there is without saying in which lines: each has its part then, of unknown kind. */
export function withTaxOfLines(snapshot: Snapshot): Snapshot {
  const { lines, totals } = snapshot;
  const weights = lines.map((line) => (line.voided === true ? 0 : Math.max(0, lineTotal(line))));
  const isTold = lines.some(({ voided, taxAmount = 0 }) => voided !== true && toCents(taxAmount) !== 0);
  if (isTold || weights.every((weight) => weight === 0)) return snapshot;
  const parts = splitAmount(totals.tax, weights);
  return { ...snapshot, lines: lines.map((line, index) => ({ ...line, taxIds: [], taxAmount: parts[index] ?? 0 })) };
}

/** The net sum, each tax and the legal tip by its name, and what was adjusted: they add up to the total. */
export function sumBlocks(snapshot: Snapshot, house: PaperHouse): Block[] {
  const { totals, adjustments = [] } = snapshot;
  const charged = taxesByName(withTaxOfLines(snapshot), house.taxes, OTHER_TAXES).map(({ name, cents }) => {
    return { name, amount: fromCents(cents) };
  });
  const adjusted = adjustments.map(({ kind, amount, reason }) => {
    return { name: joined([adjustmentNames[kind], reason]), amount };
  });
  return totalBlocks(totals.total, [...charged, ...adjusted], house);
}

/** A total under its parts by name, and what is left without them. */
export function totalBlocks(
  total: number,
  parts: readonly { name: string; amount: number }[],
  { format }: PaperHouse,
): Block[] {
  const rest = subtract(total, sum(parts.map(({ amount }) => amount)));
  return [
    RULE,
    row("Subtotal", format.amount(rest)),
    ...parts.map(({ name, amount }) => row(name, format.amount(amount))),
    row("TOTAL", format.money(total), { size: "large", bold: true }),
  ];
}
