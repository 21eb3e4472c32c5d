import type { Adjustment, FactValue, OrderFact, Snapshot, StoredLine, VersionKind } from "@comanda/protocol";
import { hubLineFieldNames } from "@comanda/protocol/line-fields.ts";
import { voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { subtract, sum, wholePercentOf } from "../money/amounts.ts";
import { asGranted } from "../money/pricing/limit-discounts.ts";
import { modifierNames } from "./modifiers-of.ts";

/** Returns the initial content of a check as facts. */
export function beginningFacts(lines: readonly StoredLine[]): OrderFact[] {
  if (lines.length === 0) return [];
  return [fact("beganWith", { items: { dishes: lines.map(dishOf) } }), ...lines.flatMap(belowMenu)];
}

/**
 * Returns what a version of this kind changed relative to the previous one: lines first, the total last. Leaves out changes
 * that have their own history entries or follow from other changes.
 */
export function orderFacts(before: Snapshot, after: Snapshot, kind: VersionKind): OrderFact[] {
  const linesBefore = new Map(before.lines.map((line) => [line.id, line]));
  const remainingIds = new Set(after.lines.map(({ id }) => id));
  const added = after.lines.filter(({ id }) => !linesBefore.has(id));
  const isOtherType = before.orderType !== after.orderType;
  return [
    ...added.map((line) => fact(additionFact(line), { item: counted(line) })),
    ...before.lines
      .filter(({ id }) => !remainingIds.has(id))
      .map((line) => fact("lineRemoved", { item: counted(line) })),
    ...added.flatMap(belowMenu),
    ...after.lines.flatMap((line) => {
      const former = linesBefore.get(line.id);
      return former === undefined ? [] : lineFacts(former, line, kind, isOtherType);
    }),
    ...checkFacts(before, after, kind),
  ];
}

function fact(name: OrderFact["fact"], values: OrderFact["values"] = {}): OrderFact {
  return { fact: name, values };
}

function additionFact({ splitFrom, splitOf }: StoredLine): OrderFact["fact"] {
  if (splitFrom !== undefined) return "lineCame";
  return splitOf === undefined ? "lineAdded" : "lineSplit";
}

function belowMenu(line: StoredLine): OrderFact[] {
  return line.menuCheck === "below" ? [fact("belowMenu", { item: named(line) })] : [];
}

/** Fields that determine the total of a line. */
const totalFollows = [
  "quantity",
  "unitPrice",
  "voided",
  "voidedQuantity",
  "modifiers",
  "discount",
  "productId",
  "taxIds",
];

const lineTexts = ["note", "specialRequest", "allergy", "seat", "course"] as const;

/** Fields reported below, or skipped because the hub sets them, other entries report them, or they follow from other fields. */
const handledLineFields: ReadonlySet<string> = new Set([
  ...lineTexts,
  ...totalFollows,
  "voidReason",
  "total",
  "name",
  ...hubLineFieldNames,
  "id",
  "taxAmount",
  "splitOf",
  "splitFrom",
]);

function lineFacts(before: StoredLine, after: StoredLine, kind: VersionKind, isOtherType: boolean): OrderFact[] {
  const changed = changedFields(before, after);
  const has = (field: string): boolean => changed.includes(field);
  const item = named(after);
  const facts: OrderFact[] = [...voidFacts(before, after)];
  if (has("quantity")) {
    facts.push(fact("quantity", { item, before: { number: before.quantity }, after: { number: after.quantity } }));
  }
  if (has("unitPrice")) facts.push(...moneyFacts("price", item, before.unitPrice, after.unitPrice));
  if (has("menuCheck")) facts.push(...belowMenu(after));
  for (const field of lineTexts) {
    if (has(field)) facts.push(textFact(field, before[field], after[field], { item }));
  }
  if (has("modifiers"))
    facts.push(...extrasFacts(item, modifierNames(before["modifiers"]), modifierNames(after["modifiers"])));
  if (has("discount")) facts.push(discountFact(item, after["discount"]));
  if (has("productId")) facts.push(fact("replaced", { before: named(before), after: item }));
  else if (has("name") && typeof before["name"] === "string" && typeof after["name"] === "string") {
    facts.push(fact("renamed", { before: { text: before["name"] }, after: { text: after["name"] } }));
  }
  facts.push(...kitchenFacts(before, after, kind));
  if (has("total") && !isOtherType && !totalFollows.some(has)) {
    facts.push(...moneyFacts("amount", item, before.total, after.total));
  }
  const others = changed.filter((field) => !handledLineFields.has(field));
  return [...facts, ...others.map((field) => fact("other", { item, field: { text: field } }))];
}

function voidFacts(before: StoredLine, after: StoredLine): OrderFact[] {
  const [previous, current] = [voidedQuantityOf(before), voidedQuantityOf(after)];
  const reason = after.voidReason ?? "";
  if (previous === current) {
    const isOtherReason = reason !== "" && reason !== (before.voidReason ?? "");
    return isOtherReason ? [fact("voidReason", { item: named(after), reason: { text: reason } })] : [];
  }
  const item = { dish: { ...named(after).dish, quantity: Math.abs(subtract(current, previous)) } };
  if (current < previous) return [fact("unvoided", { item })];
  return [reason === "" ? fact("voided", { item }) : fact("voidedFor", { item, reason: { text: reason } })];
}

/** In other kinds of versions, prepared quantities follow from splits or voids. */
function kitchenFacts(before: StoredLine, after: StoredLine, kind: VersionKind): OrderFact[] {
  if (kind !== "bumped" && kind !== "served") return [];
  const more = subtract(after.preparedQuantity ?? 0, before.preparedQuantity ?? 0);
  if (more !== 0) {
    const item = { dish: { ...named(after).dish, quantity: Math.abs(more) } };
    return [fact(more > 0 ? "ready" : "notReady", { item })];
  }
  const status = after.kitchenItemStatus;
  const isStarted = status !== before.kitchenItemStatus && (status === "started" || status === "preparing");
  return kind === "bumped" && isStarted ? [fact("started", { item: named(after) })] : [];
}

function extrasFacts(item: FactValue, before: readonly string[], after: readonly string[]): OrderFact[] {
  const [more, less] = [without(after, before), without(before, after)];
  return [
    ...(more.length > 0 ? [fact("extrasAdded", { item, extras: { names: more } })] : []),
    ...(less.length > 0 ? [fact("extrasRemoved", { item, extras: { names: less } })] : []),
  ];
}

function discountFact(item: FactValue, discount: unknown): OrderFact {
  if (typeof discount !== "object" || discount === null) return fact("lineDiscountGone", { item });
  const { percent, amount = 0 } = discount as { percent?: unknown; amount?: unknown };
  return fact("lineDiscount", {
    item,
    size: typeof percent === "number" ? { percent } : { money: Number(amount) },
  });
}

/** An amount that was added or removed is not reported as a change. */
function moneyFacts(name: "price" | "amount", item: FactValue, before?: number, after?: number): OrderFact[] {
  if (before === undefined || after === undefined) return [];
  return [fact(name, { item, before: { money: before }, after: { money: after } })];
}

type TextField = (typeof lineTexts)[number] | "customerName" | "staffName" | "notes";

/** A text that was set, changed or removed. */
function textFact(field: TextField, before: unknown, after: unknown, about: OrderFact["values"] = {}): OrderFact {
  const [previous, current] = [before ?? "", after ?? ""].map(String) as [string, string];
  const change = current === "" ? "gone" : previous === "" ? "set" : "changed";
  return fact(`${field}.${change}`, { ...about, before: { text: previous }, after: { text: current } });
}

const checkTexts = ["customerName", "staffName", "notes"] as const;

/** Fields reported below, or skipped because other entries report them or they follow from other fields. */
const handledCheckFields: ReadonlySet<string> = new Set([
  ...checkTexts,
  "status",
  "orderType",
  "tableId",
  "tableIds",
  "guestCount",
  "adjustments",
  "totals",
  "updatedAt",
  "lines",
  "posReference",
  "createdAt",
  "seatedAt",
  "partyId",
  "tenders",
  "payments",
  "paymentId",
  "paidAt",
  "paidBy",
  "ncf",
  "fiscal",
  "forward",
  "checkNumber",
  "ticketNumber",
  "terminalId",
]);

/** Kinds of versions that already imply the new status. */
const kindsWithStatus: ReadonlySet<VersionKind> = new Set([
  "sent",
  "checkout",
  "reopened",
  "paid",
  "tendered",
  "closed",
]);

function checkFacts(before: Snapshot, after: Snapshot, kind: VersionKind): OrderFact[] {
  const changed = changedFields(before, after);
  const has = (field: string): boolean => changed.includes(field);
  const facts: OrderFact[] = [];
  if (has("tableId")) facts.push(tableFact(before.tableId, after.tableId));
  if (has("tableIds")) facts.push(joinedFact(after.tableIds ?? []));
  if (has("guestCount")) {
    facts.push(fact("guests", { before: { number: before.guestCount }, after: { number: after.guestCount } }));
  }
  for (const field of checkTexts) if (has(field)) facts.push(textFact(field, before[field], after[field]));
  if (has("orderType")) {
    facts.push(fact("orderType", { before: { orderType: before.orderType }, after: { orderType: after.orderType } }));
  }
  if (has("status") && !kindsWithStatus.has(kind)) {
    const values = { before: { status: before.status }, after: { status: after.status } };
    facts.push(after.status === "changed" ? fact("changedAfterSending") : fact("status", values));
  }
  if (has("adjustments")) facts.push(...adjustmentFacts(before, after));
  const others = changed.filter((field) => !handledCheckFields.has(field));
  facts.push(...others.map((field) => fact("other", { field: { text: field } })));
  const [previous, current] = [before.totals.total, after.totals.total];
  return previous === current
    ? facts
    : [...facts, fact("total", { before: { money: previous }, after: { money: current } })];
}

function tableFact(before: number | null, after: number | null): OrderFact {
  if (after === null) return fact("tableGone", { before: { tables: before === null ? [] : [before] } });
  if (before === null) return fact("tableSet", { after: { tables: [after] } });
  return fact("table", { before: { tables: [before] }, after: { tables: [after] } });
}

function joinedFact(tables: readonly number[]): OrderFact {
  return tables.length < 2 ? fact("tablesApart") : fact("tablesJoined", { tables: { tables: [...tables] } });
}

function adjustmentFacts(before: Snapshot, after: Snapshot): OrderFact[] {
  const [previous, current] = [grantedIn(before), grantedIn(after)];
  const [added, removed] = [without(current, previous), without(previous, current)];
  // The sum of the lines, which a percentage discount is based on.
  const base = subtract(after.totals.total, sum((after.adjustments ?? []).map(({ amount }) => amount)));
  const hasOtherTotals = changedFields(before.totals, after.totals).length > 0;
  return [
    ...added.map((each) => {
      const { kind, amount, reason = "", by = "" } = each;
      const percent = percentOf(each, hasOtherTotals ? base : null);
      return fact(`adjusted.${kind}`, {
        amount: { money: Math.abs(amount) },
        ...(percent !== null && { percent: { percent } }),
        ...(reason !== "" && { reason: { text: reason } }),
        ...(by !== "" && { by: { text: by } }),
      });
    }),
    ...removed
      // An adjustment replaced by another of its kind is already reported by the new one.
      .filter(({ kind }) => !added.some((each) => each.kind === kind))
      .map(({ kind, amount }) => fact(`unadjusted.${kind}`, { amount: { money: Math.abs(amount) } })),
  ];
}

/** A discount that is limited to what the check costs now is still the same. */
function grantedIn({ adjustments = [] }: Snapshot): Adjustment[] {
  return adjustments.map(asGranted);
}

/** The percentage that the adjustment states, or the whole percentage that yields exactly its amount. */
function percentOf(adjustment: Adjustment, base: number | null): number | null {
  const { kind, amount } = adjustment;
  const percent = adjustment["percent"];
  if (typeof percent === "number") return percent;
  return kind === "rounding" || base === null ? null : wholePercentOf(Math.abs(amount), base);
}

function named(line: StoredLine) {
  const name = line["name"];
  const productId = line.productId === undefined ? null : String(line.productId);
  return { dish: { productId, ...(typeof name === "string" && { name }) } };
}

function counted(line: StoredLine): FactValue {
  return { dish: dishOf(line) };
}

function dishOf(line: StoredLine) {
  const modifiers = modifierNames(line["modifiers"]);
  return { ...named(line).dish, quantity: line.quantity, ...(modifiers.length > 0 && { modifiers }) };
}

function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.filter((field) => asText(before[field]) !== asText(after[field]));
}

function asText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** Returns the items of `list` that are not in `others`, counting duplicates. */
function without<T>(list: readonly T[], others: readonly T[]): T[] {
  const remaining = others.map(asText);
  return list.filter((item) => {
    const index = remaining.indexOf(asText(item));
    if (index !== -1) remaining.splice(index, 1);
    return index === -1;
  });
}
