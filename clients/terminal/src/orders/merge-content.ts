import { subtract, sum } from "@comanda/rules";
import { withQuantity } from "./edit-content.ts";
import { linesOf, isHubField, sameLine, sameValue, type OrderContent, type OrderLine } from "./order-content.ts";
import { mergeTotals } from "./merge-totals.ts";
import type { PricedMenu } from "./reprice-line.ts";
import { roundingsOf, withRoundings } from "./round-order.ts";

/** What two writers changed differently since their common base. */
export type Collision = { kind: "field"; field: string } | { kind: "line"; lineId: string };

/** Said of a change that the hub surely does not have yet: what it orders is priced by `menu`. */
export interface News {
  menu: PricedMenu | null;
}

/**
 * Applies the change from `base` to `mine` to `hub`, line by line and field by field; where they collide, `content` has
 * mine. A line that both sides changed differently collides as a whole: a person decides. Roundings of the whole order never
 * collide: they follow from the lines, and `roundOrder` sets them right. Where my change is
 * `news` to the hub, as much more of a line on both sides was ordered twice, and adds up.
 */
export function mergeContent(
  base: OrderContent,
  mine: OrderContent,
  hub: OrderContent,
  news: News | null = null,
): { content: OrderContent; collisions: Collision[] } {
  const { content, collisions } = mergeUnrounded(unrounded(base), unrounded(mine), unrounded(hub), news);
  const { value: roundings } = choose(roundingsOf(base), roundingsOf(mine), roundingsOf(hub), sameValue);
  return { content: roundings.length === 0 ? content : withRoundings(content, roundings), collisions };
}

function unrounded(content: OrderContent): OrderContent {
  return roundingsOf(content).length === 0 ? content : withRoundings(content, []);
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
    // A merge of checks names no guests: the rules add them up.
    if (field === "guestCount" && mine.guestCount === undefined) continue;
    const chosen = choose(base[field], mine[field], hub[field], sameValue);
    if (chosen.collides) collisions.push({ kind: "field", field });
    if (chosen.value !== undefined) merged[field] = chosen.value;
  }
  const pluginData = mergePluginData(base, mine, hub, collisions);
  if (pluginData !== undefined) merged.pluginData = pluginData;
  return merged;
}

/** Each plugin's object is merged as one field. */
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

/** The hub's order of lines, then my additions; `more` is the hub's line with what both sides have ordered of it. */
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
 * What both sides have ordered of a line in all, where both ordered as much more of it and nothing else; null otherwise. They
 * have written the same, and yet one of them would lose theirs. About two different quantities a person decides.
 */
function orderedByBoth(before: OrderLine | undefined, mine: OrderLine | undefined, theirs: OrderLine): number | null {
  if (before === undefined || mine === undefined || mine.quantity !== theirs.quantity) return null;
  const isMore = (line: OrderLine): boolean => line.quantity > before.quantity && isAlike(line, before);
  return isMore(mine) && isMore(theirs) ? subtract(sum([mine.quantity, theirs.quantity]), before.quantity) : null;
}

/** Whether two forms of a line differ in nothing but how much of it there is. */
export function isAlike(one: OrderLine, other: OrderLine): boolean {
  return sameLine(withoutAmounts(one), withoutAmounts(other));
}

function withoutAmounts(line: OrderLine): OrderLine {
  return { ...line, quantity: 0, total: 0, taxAmount: 0, taxIds: [] };
}

/** The three-way rule for one value: an unchanged side gives way; two different changes collide. */
export function choose<T>(
  base: T,
  mine: T,
  hub: T,
  same: (one: T, other: T) => boolean,
): { value: T; collides: boolean } {
  if (same(mine, base) || same(mine, hub)) return { value: hub, collides: false };
  return { value: mine, collides: !same(hub, base) };
}
