import {
  Adjustment,
  kitchenFieldNames,
  OrderStatus,
  OrderType,
  type OrderDifference,
  type OrderVersion,
} from "@comanda/protocol";
import { subtract, sum, wholePercentOf } from "@comanda/rules";
import type { Translate } from "@comanda/ui/translation.ts";
import { z } from "zod";
import type { Format } from "@comanda/ui/format.ts";
import texts from "./texts.json" with { type: "json" };

/** What sentences are made with: the texts and the formats of the language, and the names of products and tables. */
export interface Words {
  t: Translate<"orders", "common">;
  format: Format;
  productName: (productId: string) => string | undefined;
  tableName: (tableId: number) => string;
}

export interface ChangeInWords {
  /** What a manager would say of it, lines before the rest, the total last. */
  sentences: string[];
  /** The names of what else has changed, for which there is no sentence. */
  others: string[];
}

type Value = string | number | boolean | null;

interface Change {
  before: Value;
  after: Value;
}

type Changes = ReadonlyMap<string, Change>;

/** Says what a version changed. What has an entry of its own in the history, or follows from something else, is left out. */
export function describeChange(
  { kind, lines = [], differences }: Pick<OrderVersion, "kind" | "lines" | "differences">,
  words: Words,
): ChangeInWords {
  const order: Changes = new Map(differences.flatMap((each) => (each.kind === "field" ? [[each.field, each]] : [])));
  const inWords: ChangeInWords = { sentences: [], others: [] };
  if (lines.length > 0) inWords.sentences.push(saidOfFirstLines(lines, words));
  for (const difference of differences) {
    if (difference.kind === "line_added") inWords.sentences.push(saidOfNewLine(difference, words));
    if (difference.kind === "line_removed") {
      inWords.sentences.push(words.t("said.lineRemoved", quantityOf(difference, words)));
    }
  }
  for (const line of [...lines, ...differences.filter(({ kind: what }) => what === "line_added")]) {
    if ("menuCheck" in line && line.menuCheck === "below") {
      inWords.sentences.push(words.t("said.belowMenu", { item: nameOf(line, words) }));
    }
  }
  for (const line of changedLines(differences, words)) {
    const about = { ...line, kind, orderChanges: order, words };
    add(
      inWords,
      line.changes,
      (field) => aboutLine[field]?.(about),
      (name) => `${line.item}: ${name}`,
    );
  }
  add(
    inWords,
    order,
    (field) => aboutOrder[field]?.({ kind, changes: order, words }),
    (name) => name,
  );
  return inWords;

  function add(
    { sentences, others }: ChangeInWords,
    changes: Changes,
    describe: (field: string) => readonly string[] | undefined,
    nameIt: (name: string) => string,
  ) {
    for (const field of inOrder(changes)) {
      const said = describe(field);
      if (said !== undefined) sentences.push(...said);
      else if (!silentFields.has(field)) others.push(nameIt(isNamed(field) ? words.t(`field.${field}`) : field));
    }
  }
}

/** Told by entries of their own, or derived from what is told. */
const silentFields: ReadonlySet<string> = new Set([
  ...kitchenFieldNames,
  "tenders",
  "payments",
  "paidAt",
  "paidBy",
  "ncf",
  "fiscal",
  "forward",
  "checkNumber",
  "ticketNumber",
  "terminalId",
  "taxAmount",
  "taxIds",
  "splitOf",
  "splitFrom",
]);

type FieldName = keyof typeof texts.field;

function isNamed(field: string): field is FieldName {
  return Object.hasOwn(texts.field, field);
}

/** The total is the sum of all else: it comes last. */
function inOrder(changes: Changes): string[] {
  return [...changes.keys()].toSorted((a, b) => Number(a === "totals") - Number(b === "totals"));
}

interface AboutOrder {
  kind: OrderVersion["kind"];
  changes: Changes;
  words: Words;
}

/** What is said of a field of the order; nothing where it goes without saying. */
const aboutOrder: Readonly<Record<string, (about: AboutOrder) => readonly string[]>> = {
  status: ({ kind, changes, words: { t } }) => {
    const { before, after } = changeOf(changes, "status");
    // The name of the entry says it.
    if (kindsOfStatus.has(kind)) return [];
    if (after === "changed") return [t("said.changedAfterSending")];
    const [was, is] = [OrderStatus.safeParse(before), OrderStatus.safeParse(after)];
    if (!was.success || !is.success) return [];
    return [t("said.status", { before: t(`common:status.${was.data}`), after: t(`common:status.${is.data}`) })];
  },
  orderType: ({ changes, words: { t } }) => {
    const { before, after } = changeOf(changes, "orderType");
    const [was, is] = [OrderType.safeParse(before), OrderType.safeParse(after)];
    if (!was.success || !is.success) return [];
    return [t("said.orderType", { before: t(`common:${was.data}`), after: t(`common:${is.data}`) })];
  },
  tableId: ({ changes, words: { t, tableName } }) => {
    const { before, after } = changeOf(changes, "tableId");
    const name = (table: Value) => (typeof table === "number" ? tableName(table) : "");
    if (before === null) return [t("said.tableSet", { after: name(after) })];
    if (after === null) return [t("said.tableGone", { before: name(before) })];
    return [t("said.table", { before: name(before), after: name(after) })];
  },
  tableIds: ({ changes, words: { t, format, tableName } }) => {
    const tables = read(z.array(z.number()), changeOf(changes, "tableIds").after) ?? [];
    if (tables.length < 2) return [t("said.tablesApart")];
    return [t("said.tablesJoined", { tables: format.list(tables.map(tableName)) })];
  },
  guestCount: ({ changes, words: { t, format } }) => {
    const { before, after } = changeOf(changes, "guestCount");
    return [t("said.guests", { before: format.number(Number(before)), after: format.number(Number(after)) })];
  },
  customerName: ({ changes, words }) => [saidOfText("customerName", changeOf(changes, "customerName"), words)],
  staffName: ({ changes, words }) => [saidOfText("staffName", changeOf(changes, "staffName"), words)],
  notes: ({ changes, words }) => [saidOfText("notes", changeOf(changes, "notes"), words)],
  adjustments: ({ changes, words }) => saidOfAdjustments(changes, words),
  totals: ({ changes, words: { t, format } }) => {
    const { before, after } = changeOf(changes, "totals");
    const [was, is] = [read(WithTotal, before), read(WithTotal, after)];
    // Only how it is made up of tax and the rest has changed.
    if (was === null || is === null || was.total === is.total) return [];
    return [t("said.total", { before: format.money(was.total), after: format.money(is.total) })];
  },
};

const kindsOfStatus: ReadonlySet<string> = new Set(["sent", "checkout", "reopened", "paid", "tendered", "closed"]);

const WithTotal = z.object({ total: z.number() });

interface AboutLine extends Omit<AboutOrder, "changes"> {
  item: string;
  changes: Changes;
  /** Of the whole line, where that is known. */
  quantity: number | undefined;
  orderChanges: Changes;
}

const aboutLine: Readonly<Record<string, (about: AboutLine) => readonly string[]>> = {
  voided: ({ changes, item, quantity, words }) => {
    const { after } = changeOf(changes, "voided");
    const partBefore = Number(changes.get("voidedQuantity")?.before ?? 0);
    const count = quantity === undefined ? 0 : quantity - partBefore;
    return [saidOfVoid(after === true, item, count, changes, words)];
  },
  voidedQuantity: ({ changes, item, words }) => {
    if (changes.has("voided")) return [];
    const { before, after } = changeOf(changes, "voidedQuantity");
    const more = Number(after ?? 0) - Number(before ?? 0);
    return [saidOfVoid(more > 0, item, Math.abs(more), changes, words)];
  },
  voidReason: ({ changes, item, words: { t } }) => {
    const { after } = changeOf(changes, "voidReason");
    const isSaid = changes.has("voided") || changes.has("voidedQuantity");
    return isSaid || after === null || after === "" ? [] : [t("said.voidReason", { item, reason: after })];
  },
  quantity: ({ changes, item, words: { t, format } }) => {
    const { before, after } = changeOf(changes, "quantity");
    return [t("said.quantity", { item, before: format.number(Number(before)), after: format.number(Number(after)) })];
  },
  unitPrice: ({ changes, item, words }) => saidOfMoney("said.price", item, changeOf(changes, "unitPrice"), words),
  menuCheck: ({ changes, item, words: { t } }) =>
    changeOf(changes, "menuCheck").after === "below" ? [t("said.belowMenu", { item })] : [],
  total: ({ changes, item, orderChanges, words }) => {
    const follows = totalFollows.some((field) => changes.has(field)) || orderChanges.has("orderType");
    return follows ? [] : saidOfMoney("said.amount", item, changeOf(changes, "total"), words);
  },
  note: ({ changes, item, words }) => [saidOfLineText("note", item, changeOf(changes, "note"), words)],
  specialRequest: ({ changes, item, words }) => [
    saidOfLineText("specialRequest", item, changeOf(changes, "specialRequest"), words),
  ],
  allergy: ({ changes, item, words }) => [saidOfLineText("allergy", item, changeOf(changes, "allergy"), words)],
  seat: ({ changes, item, words }) => [saidOfLineText("seat", item, changeOf(changes, "seat"), words)],
  course: ({ changes, item, words }) => [saidOfLineText("course", item, changeOf(changes, "course"), words)],
  modifiers: ({ changes, item, words: { t, format } }) => {
    const { before, after } = changeOf(changes, "modifiers");
    const [was, is] = [namesOf(before), namesOf(after)];
    const [more, less] = [without(is, was), without(was, is)];
    return [
      ...(more.length > 0 ? [t("said.extrasAdded", { item, extras: format.list(more) })] : []),
      ...(less.length > 0 ? [t("said.extrasRemoved", { item, extras: format.list(less) })] : []),
    ];
  },
  discount: ({ changes, item, words: { t, format } }) => {
    const discount = read(LineDiscount, changeOf(changes, "discount").after);
    if (discount === null) return [t("said.lineDiscountGone", { item })];
    const { percent, amount = 0 } = discount;
    const size = percent === undefined ? format.money(amount) : t("said.percent", { percent: format.number(percent) });
    return [t("said.lineDiscount", { item, size })];
  },
  productId: ({ changes, item, words: { t, productName } }) => {
    const { before } = changeOf(changes, "productId");
    const was = before === null ? undefined : productName(String(before));
    const nameBefore = changes.get("name")?.before;
    const former = was ?? (typeof nameBefore === "string" ? nameBefore : t("aLine"));
    return [t("said.replaced", { before: former, after: item })];
  },
  name: ({ changes, words: { t } }) => {
    const { before, after } = changeOf(changes, "name");
    if (changes.has("productId") || before === null || after === null) return [];
    return [t("said.renamed", { before, after })];
  },
  preparedQuantity: ({ kind, changes, item, words: { t, format } }) => {
    // Elsewhere it follows from how the check was split, or what was voided.
    if (kind !== "bumped" && kind !== "served") return [];
    const { before, after } = changeOf(changes, "preparedQuantity");
    const more = Number(after ?? 0) - Number(before ?? 0);
    if (more === 0) return [];
    return [t(more > 0 ? "said.ready" : "said.notReady", { item, quantity: format.number(Math.abs(more)) })];
  },
  kitchenItemStatus: ({ kind, changes, item, words: { t } }) => {
    const { after } = changeOf(changes, "kitchenItemStatus");
    const isNews = kind === "bumped" && !changes.has("preparedQuantity");
    return isNews && (after === "started" || after === "preparing") ? [t("said.started", { item })] : [];
  },
};

/** Fields from which the total of a line follows. */
const totalFollows = [
  "quantity",
  "unitPrice",
  "voided",
  "voidedQuantity",
  "modifiers",
  "discount",
  "productId",
  "taxIds",
] as const;

const LineDiscount = z.object({ percent: z.number().optional(), amount: z.number().optional() });

function changeOf(changes: Changes, field: string): Change {
  return changes.get(field) ?? { before: null, after: null };
}

interface NamedLine {
  productId: string | null;
  name?: string | undefined;
}

function nameOf({ productId, name }: NamedLine, { t, productName }: Words): string {
  return (productId === null ? undefined : productName(productId)) ?? name ?? t("aLine");
}

type WholeLine = Omit<Extract<OrderDifference, { kind: "line_added" }>, "kind">;

function quantityOf(line: WholeLine, words: Words) {
  const { modifiers = [] } = line;
  const extras = modifiers.length > 0 ? ` (${words.format.list(modifiers)})` : "";
  return { quantity: words.format.number(line.quantity), item: nameOf(line, words) + extras };
}

function saidOfFirstLines(lines: readonly WholeLine[], words: Words): string {
  const items = lines.map((line) => words.t("said.dish", quantityOf(line, words)));
  return words.t("said.beganWith", { items: words.format.list(items) });
}

function saidOfNewLine(line: WholeLine, words: Words): string {
  const values = quantityOf(line, words);
  if (line.splitFrom !== undefined) return words.t("said.lineCame", values);
  return words.t(line.splitOf === undefined ? "said.lineAdded" : "said.lineSplit", values);
}

interface ChangedLine {
  item: string;
  quantity: number | undefined;
  changes: Changes;
}

function changedLines(differences: readonly OrderDifference[], words: Words): ChangedLine[] {
  const lines = new Map<string, { item: string; quantity: number | undefined; changes: Map<string, Change> }>();
  for (const each of differences) {
    if (each.kind !== "line_changed") continue;
    const { lineId, field, before, after, quantity } = each;
    const line = lines.get(lineId) ?? { item: nameOf(each, words), quantity: undefined, changes: new Map() };
    line.changes.set(field, { before, after });
    line.quantity ??= quantity;
    lines.set(lineId, line);
  }
  return [...lines.values()];
}

function saidOfVoid(isVoid: boolean, item: string, count: number, changes: Changes, words: Words): string {
  const { t, format } = words;
  const reason = changes.get("voidReason")?.after ?? "";
  const values = { item: count > 0 ? `${format.number(count)} × ${item}` : item };
  if (!isVoid) return t("said.unvoided", values);
  return reason === "" ? t("said.voided", values) : t("said.voidedFor", { ...values, reason });
}

function saidOfMoney(
  key: "said.price" | "said.amount",
  item: string,
  { before, after }: Change,
  { t, format }: Words,
): string[] {
  // A first or last amount is no change of one.
  if (typeof before !== "number" || typeof after !== "number") return [];
  return [t(key, { item, before: format.money(before), after: format.money(after) })];
}

/** A text that is set, replaced or taken away. */
function saidOfText(field: "customerName" | "staffName" | "notes", change: Change, { t }: Words): string {
  return t(`said.${field}.${whatHappened(change)}`, textsOf(change));
}

function saidOfLineText(
  field: "note" | "specialRequest" | "allergy" | "seat" | "course",
  item: string,
  change: Change,
  { t }: Words,
): string {
  return t(`said.${field}.${whatHappened(change)}`, { item, ...textsOf(change) });
}

function whatHappened({ before, after }: Change): "set" | "changed" | "gone" {
  const [was, is] = [before ?? "", after ?? ""];
  return is === "" ? "gone" : was === "" ? "set" : "changed";
}

function textsOf({ before, after }: Change) {
  return { before: before ?? "", after: after ?? "" };
}

function saidOfAdjustments(changes: Changes, words: Words): string[] {
  const { t, format } = words;
  const { before, after } = changeOf(changes, "adjustments");
  const [was, is] = [read(z.array(Adjustment), before) ?? [], read(z.array(Adjustment), after) ?? []];
  const key = (adjustment: Adjustment) => JSON.stringify(adjustment);
  const added = withoutBy(is, was, key);
  const removed = withoutBy(was, is, key);
  const base = baseOf(changes, is);
  return [
    ...added.map((adjustment) => {
      const { kind, amount, reason, by } = adjustment;
      const size = t(`said.adjusted.${kind}`, { amount: format.money(Math.abs(amount)) });
      const percent = percentOf(adjustment, base);
      const details = [
        percent === null ? size : `${size} (${t("said.percent", { percent: format.number(percent) })})`,
        Boolean(reason) && t("said.reason", { reason }),
        Boolean(by) && t("said.allowedBy", { by }),
      ];
      return details.filter(Boolean).join(", ");
    }),
    ...removed
      // One that was replaced by another of its kind is told by that.
      .filter(({ kind }) => !added.some((each) => each.kind === kind))
      .map(({ kind, amount }) => t(`said.unadjusted.${kind}`, { amount: format.money(Math.abs(amount)) })),
  ];
}

/** What the lines come to, of which a discount is a part; null where the total did not change with it. */
function baseOf(changes: Changes, adjustments: readonly Adjustment[]): number | null {
  const totals = read(WithTotal, changes.get("totals")?.after ?? null);
  return totals === null ? null : subtract(totals.total, sum(adjustments.map(({ amount }) => amount)));
}

/** The percentage that it names, or that it is to the cent. */
function percentOf(adjustment: Adjustment, base: number | null): number | null {
  const { kind, amount } = adjustment;
  const named = adjustment["percent"];
  if (typeof named === "number") return named;
  return kind === "rounding" || base === null ? null : wholePercentOf(Math.abs(amount), base);
}

function namesOf(value: Value): string[] {
  const Named = z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]);
  return (read(z.array(z.unknown()), value) ?? []).flatMap((each) => {
    const named = Named.safeParse(each);
    return named.success ? [named.data] : [];
  });
}

/** What `list` has more often than `others`. */
function without(list: readonly string[], others: readonly string[]): string[] {
  return withoutBy(list, others, (name) => name);
}

function withoutBy<T>(list: readonly T[], others: readonly T[], key: (item: T) => string): T[] {
  const left = others.map(key);
  return list.filter((item) => {
    const index = left.indexOf(key(item));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** What came as its JSON text; null where it is something else. */
function read<T>(schema: z.ZodType<T>, value: Value): T | null {
  try {
    return schema.parse(JSON.parse(String(value)));
  } catch {
    return null;
  }
}
