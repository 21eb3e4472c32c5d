import type { ItemState, SetItemState, StoredLine, TicketLine } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { isoTime, pastTime, timeOf } from "../time.ts";
import { activeQuantity } from "./shares.ts";

/** The state of a product that ran out or is limited; `since` is when it got this scarce, in ms since 1970. */
export interface Stock {
  itemState: ItemState;
  since: number;
}

/** Why a product cannot be sent; `left` is the remaining quantity. */
export interface ItemOut {
  code: "ITEM_OUT";
  values: { lineId: string; name: string; left: number };
}

/** The stock that a send uses up. `soldOut` are the ids of lines that are sold although their product has run out. */
export interface ConsumedStock {
  soldOut: ReadonlySet<string>;
  itemStates: readonly ItemState[];
}

/** A quantity that was sent at `sentAt` (ISO 8601) and then taken back. */
export interface ReturnedItem {
  productId: string;
  quantity: number;
  sentAt: string;
}

/**
 * Takes the sent quantities from stock. A line is sold beyond its stock only if its send was queued (`queuedAt`, ms since 1970)
 * before the product got scarce.
 */
export function consumeStock(
  lines: readonly { line: StoredLine; quantity: number }[],
  stockOf: (productId: string) => Stock | null,
  { now, queuedAt }: { now: number; queuedAt: number | null },
): ConsumedStock | { refusal: ItemOut } {
  const soldOut = new Set<string>();
  const consumed = new Map<string, Stock>();
  for (const { line, quantity } of lines) {
    const productId = line.productId === undefined ? undefined : String(line.productId);
    const stock = productId === undefined ? null : (consumed.get(productId) ?? stockOf(productId));
    if (productId === undefined || stock === null || isAvailable(stock.itemState, now)) continue;
    const left = stock.itemState.left ?? 0;
    if (quantity > left) {
      if (queuedAt === null || queuedAt >= pastTime(stock.since, now)) return { refusal: itemOut(line, left) };
      soldOut.add(line.id);
    }
    if (left === 0) continue;
    const itemState = withCount(stock.itemState, Math.max(0, subtract(left, quantity)), now);
    consumed.set(productId, { itemState, since: stock.since });
  }
  return { soldOut, itemStates: [...consumed.values()].map(({ itemState }) => itemState) };
}

/** Returns quantities to stock, unless a person has set the stock since they were sent; that count includes them. */
export function returnItems(
  returned: readonly ReturnedItem[],
  stockOf: (productId: string) => Stock | null,
  now: number,
): ItemState[] {
  const states = new Map<string, ItemState>();
  for (const { productId, quantity, sentAt } of returned) {
    const itemState = states.get(productId) ?? stockOf(productId)?.itemState;
    if (itemState?.saidAt === undefined || isAvailable(itemState, now) || itemState.saidAt > sentAt) continue;
    states.set(productId, withCount(itemState, sum([itemState.left ?? 0, quantity]), now));
  }
  return [...states.values()];
}

/** Returns the stock of a product after a ticket line. */
export function countDown(itemState: ItemState, line: Pick<TicketLine, "quantity" | "cancelledQuantity">, now: number) {
  return withCount(itemState, Math.max(0, subtract(itemState.left ?? 0, activeQuantity(line))), now);
}

/** Returns the requested stock state; null if a limited product has no `left`. */
export function itemStateOf({ productId, state, left, until }: SetItemState, now: number): ItemState | null {
  if (state === "limited" && left == null) return null;
  const isOver = until != null && timeOf(until) <= now;
  const common = { productId, updatedAt: isoTime(now), saidAt: isoTime(now) };
  if (state === "available" || isOver) return { ...common, state: "available", left: null, until: null };
  return { ...common, ...stateOfCount(state === "limited" ? (left ?? 0) : 0), until: until ?? null };
}

function withCount(itemState: ItemState, left: number, now: number): ItemState {
  return { ...itemState, ...stateOfCount(left), updatedAt: isoTime(now) };
}

function stateOfCount(left: number): Pick<ItemState, "state" | "left"> {
  return { state: left > 0 ? "limited" : "out", left };
}

/** Returns whether a product can be sold, even if the hub has not reset an expired state yet. */
export function isAvailable({ state, until }: ItemState, now: number): boolean {
  return state === "available" || (until !== null && timeOf(until) <= now);
}

function itemOut(line: StoredLine, left: number): ItemOut {
  const name = typeof line["name"] === "string" ? line["name"] : `product ${line.productId}`;
  return { code: "ITEM_OUT", values: { lineId: line.id, name, left } };
}
