import { addUp, asGranted, subtract, sum } from "@comanda/rules";
import { withQuantity } from "./edit-content.ts";
import { linesOf, isHubField, sameLine, sameValue, type OrderContent, type OrderLine } from "./order-content.ts";
import { mergeTotals } from "./merge-totals.ts";
import type { PricedMenu } from "./reprice-line.ts";
import { roundingsOf, unroundedOf, withAdjustments } from "./round-order.ts";

/** A field or line that two writers changed differently since their common base. */
export type Collision = { kind: "field"; field: string } | { kind: "line"; lineId: string };

/** Marks a change that the hub certainly does not have yet. Additional quantities are priced by `menu`. */
export interface News {
  menu: PricedMenu | null;
}

/**
 * Applies the change from `base` to `mine` to `hub`, line by line and field by field; on a collision, `content` has mine. A
 * line that both sides changed differently collides as a whole: a person decides. Roundings of the whole order never collide,
 * because `roundOrder` computes them again from the lines; nor does how far discounts are limited. With `news`, the same
 * additional quantity of a line on both sides was ordered twice, and is added up.
 */
export function mergeContent(
  base: OrderContent,
  mine: OrderContent,
  hub: OrderContent,
  news: News | null = null,
): { content: OrderContent; collisions: Collision[] } {
  const { content, collisions } = mergeUnrounded(unrounded(base), unrounded(mine), unrounded(hub), news);
  const { value: roundings } = choose(roundingsOf(base), roundingsOf(mine), roundingsOf(hub), sameValue);
  const adjustments = [...(content.adjustments ?? []), ...roundings];
  if (adjustments.length === 0) return { content, collisions };
  return { content: withAdjustments(content, addUp(linesOf(content), adjustments).adjustments), collisions };
}

/** Returns the content without roundings, and its discounts as they were granted. */
function unrounded(content: OrderContent): OrderContent {
  const { adjustments } = content;
  return adjustments === undefined ? content : withAdjustments(content, unroundedOf(content).map(asGranted));
}

function mergeUnrounded(
  base: OrderContent,
  mine: OrderContent,
  hub: OrderContent,
  news: News | null,
): { content: OrderContent; collisions: Collision[] } {
  const collisions: Collision[] = [];
  const fields = mergeFields(base, mine, hub, collisions);
  const more = (line: OrderLine, quantity: number) =>
    news === null ? null : withQuantity(line, quantity, { content: hub, menu: news.menu });
  const lines = mergeLines(linesOf(base), linesOf(mine), linesOf(hub), { collisions, more });
  const totals = mergeTotals(base, mine, hub, lines);
  if (totals.collides) collisions.push({ kind: "field", field: "totals" });
  const content: OrderContent = { ...fields, lines };
  if (totals.totals !== undefined) content.totals = totals.totals;
  return { content, collisions };
}

function mergeFields(base: OrderContent, mine: OrderContent, hub: OrderContent, collisions: Collision[]): OrderContent {
  const merged: OrderContent = {};
  for (const field of new Set([...Object.keys(hub), ...Object.keys(mine)])) {
    if (field === "lines" || field === "totals" || field === "pluginData" || isHubField(field)) continue;
    // A merge of checks has no `guestCount`: the rules add up the guests.
    if (field === "guestCount" && mine.guestCount === undefined) continue;
    const chosen = choose(base[field], mine[field], hub[field], sameValue);
    if (chosen.collides) collisions.push({ kind: "field", field });
    if (chosen.value !== undefined) merged[field] = chosen.value;
  }
  const pluginData = mergePluginData(base, mine, hub, collisions);
  if (pluginData !== undefined) merged.pluginData = pluginData;
  return merged;
}

/** Merges the data of each plugin as one field. */
function mergePluginData(
  base: OrderContent,
  mine: OrderContent,
  hub: OrderContent,
  collisions: Collision[],
): OrderContent["pluginData"] {
  if (mine.pluginData === undefined && hub.pluginData === undefined) return undefined;
  const merged: NonNullable<OrderContent["pluginData"]> = {};
  for (const plugin of new Set([...Object.keys(hub.pluginData ?? {}), ...Object.keys(mine.pluginData ?? {})])) {
    const chosen = choose(base.pluginData?.[plugin], mine.pluginData?.[plugin], hub.pluginData?.[plugin], sameValue);
    if (chosen.collides) collisions.push({ kind: "field", field: `pluginData.${plugin}` });
    if (chosen.value !== undefined) merged[plugin] = chosen.value;
  }
  return merged;
}

/** Merges lines: in the hub's order, then my additions. `more` sizes the hub's line to what both sides ordered in total. */
function mergeLines(
  base: OrderLine[],
  mine: OrderLine[],
  hub: OrderLine[],
  { collisions, more }: { collisions: Collision[]; more: (line: OrderLine, quantity: number) => OrderLine | null },
): OrderLine[] {
  const [inBase, inMine, inHub] = [base, mine, hub].map((lines) => new Map(lines.map((line) => [line.id, line])));
  const merged: OrderLine[] = [];
  for (const lineId of new Set([...hub, ...mine].map((line) => line.id))) {
    const [before, own, theirs] = [inBase?.get(lineId), inMine?.get(lineId), inHub?.get(lineId)];
    const quantity = theirs === undefined ? null : orderedByBoth(before, own, theirs);
    const both = theirs === undefined || quantity === null ? null : more(theirs, quantity);
    const chosen = both === null ? choose(before, own, theirs, sameLine) : { value: both, collides: false };
    if (chosen.collides) collisions.push({ kind: "line", lineId });
    if (chosen.value !== undefined) merged.push(chosen.value);
  }
  return merged;
}

/**
 * Returns the total quantity of a line to which both sides added the same amount and changed nothing else, otherwise null. A
 * plain merge would count only one of the two orders. If the quantities differ, a person decides.
 */
function orderedByBoth(before: OrderLine | undefined, mine: OrderLine | undefined, theirs: OrderLine): number | null {
  if (before === undefined || mine === undefined || mine.quantity !== theirs.quantity) return null;
  const isMore = (line: OrderLine): boolean => line.quantity > before.quantity && differsOnlyInQuantity(line, before);
  return isMore(mine) && isMore(theirs) ? subtract(sum([mine.quantity, theirs.quantity]), before.quantity) : null;
}

/** Whether two versions of a line differ in nothing but quantity. */
export function differsOnlyInQuantity(one: OrderLine, other: OrderLine): boolean {
  return sameLine(withoutAmounts(one), withoutAmounts(other));
}

function withoutAmounts(line: OrderLine): OrderLine {
  return { ...line, quantity: 0, total: 0, taxAmount: 0, taxIds: [] };
}

/** Three-way merge of one value: the changed side wins; two different changes collide. */
export function choose<T>(
  base: T,
  mine: T,
  hub: T,
  same: (one: T, other: T) => boolean,
): { value: T; collides: boolean } {
  if (same(mine, base) || same(mine, hub)) return { value: hub, collides: false };
  return { value: mine, collides: !same(hub, base) };
}
