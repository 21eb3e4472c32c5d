import { type Adjustment, kitchenFieldNames, type OrderStatus, type StoredLine, type Totals } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { subtract, sum } from "../platform/money.ts";

/** Whether the kitchen has the line, or part of it. */
export function isWithKitchen(line: StoredLine): boolean {
  return line.kitchenSentAt !== undefined;
}

/** The kitchen status of a voided line whose cancellation was sent. */
export const VOIDED = "voided";

/** How much of a line the kitchen lacks; negative for a voided one that it still prepares. */
export function missingQuantity(line: StoredLine): number {
  const held = line.kitchenItemStatus === VOIDED ? 0 : (line.sentQuantity ?? 0);
  if (line.voided === true) return held === 0 ? 0 : -held;
  return Math.max(0, subtract(line.quantity, held));
}

/** The status of an active order, derived from its lines. */
export function statusOf(lines: readonly StoredLine[]): OrderStatus {
  if (!lines.some(isWithKitchen)) return "open";
  return lines.every((line) => missingQuantity(line) === 0) ? "sent" : "changed";
}

/**
 * Refuses a new set of lines that drops or lowers what the kitchen already holds. `mayVoid` lets a line be marked
 * `voided` instead; one that was voided before may stay so.
 */
export function guardSentLines(stored: readonly StoredLine[], next: readonly StoredLine[], mayVoid: boolean): void {
  const sentLines = stored.filter(isWithKitchen);
  if (sentLines.length === 0) return;
  const nextById = new Map(next.map((line) => [line.id, line]));
  for (const line of sentLines) {
    const kept = nextById.get(line.id);
    const sent = line.sentQuantity ?? 0;
    if (kept === undefined) {
      throw new HubError(
        "SENT_LINES_IMMUTABLE",
        `line ${line.id} is already with the kitchen and must stay on the order`,
      );
    }
    if (kept.voided === true && (line.voided === true || mayVoid)) continue;
    if (kept.voided === true) {
      throw new HubError(
        "SENT_LINES_IMMUTABLE",
        `line ${line.id} is with the kitchen: only a cashier or manager may void it`,
      );
    }
    if (kept.quantity < sent) {
      throw new HubError(
        "SENT_LINES_IMMUTABLE",
        `line ${line.id} has ${sent} with the kitchen; its quantity cannot be lowered to ${kept.quantity}`,
      );
    }
  }
}

/** The new lines with the kitchen fields of the stored ones; whatever the writer sent for those is ignored. */
export function withKitchenFields(stored: readonly StoredLine[], next: readonly StoredLine[]): StoredLine[] {
  const storedById = new Map(stored.map((line) => [line.id, line]));
  return next.map((line) => {
    const merged: StoredLine = { ...line };
    const known = storedById.get(line.id);
    for (const field of kitchenFieldNames) {
      if (field in merged) delete merged[field];
      if (known?.[field] !== undefined) Object.assign(merged, { [field]: known[field] });
    }
    return merged;
  });
}

/**
 * Totals computed from the lines that are charged and from what is added or taken off by name: tax of `taxAmount` (missing
 * counts 0), subtotal of the rest of the lines.
 */
export function totalsOf(lines: readonly StoredLine[], adjustments: readonly Adjustment[] = []): Totals {
  const charged = lines.filter((line) => line.voided !== true);
  const ofLines = sum(charged.map((line) => line.total ?? 0));
  const tax = sum(charged.map((line) => line.taxAmount ?? 0));
  const total = sum([ofLines, ...adjustments.map(({ amount }) => amount)]);
  return { subtotal: subtract(ofLines, tax), tax, total };
}
