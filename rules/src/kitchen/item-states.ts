import type { ItemState, SetItemState, StoredLine, TicketLine } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { isoTime, pastTime, timeOf } from "../time.ts";
import { activeQuantity } from "./shares.ts";

/** What is known of a product that ran out at some time; `since` is when it came to be as scarce as it is, ms since 1970. */
export interface Stock {
  itemState: ItemState;
  since: number;
}

/** Why a product cannot be sent: `left` is what there is of it. */
export interface ItemOut {
  code: "ITEM_OUT";
  values: { lineId: string; name: string; left: number };
}

/** What is taken from the stock by a send; `soldOut` are the ids of lines that are sold although their product has run out. */
export interface TakenItems {
  soldOut: ReadonlySet<string>;
  itemStates: readonly ItemState[];
}

/** So much of a product was not to be made after all, of what was sent at `sentAt` (ISO 8601). */
export interface ReturnedItem {
  productId: string;
  quantity: number;
  sentAt: string;
}

/**
 * Takes what is sent to the kitchen from what is left. A line whose product has run out is sold only if its send was queued
 * before (`queuedAt`, ms since 1970).
 */
export function takeItems(
  lines: readonly { line: StoredLine; quantity: number }[],
  stockOf: (productId: string) => Stock | null,
  { now, queuedAt }: { now: number; queuedAt: number | null },
): TakenItems | { refusal: ItemOut } {
  const soldOut = new Set<string>();
  const taken = new Map<string, Stock>();
  for (const { line, quantity } of lines) {
    const productId = line.productId === undefined ? undefined : String(line.productId);
    const stock = productId === undefined ? null : (taken.get(productId) ?? stockOf(productId));
    if (productId === undefined || stock === null || isAvailable(stock.itemState, now)) continue;
    const left = stock.itemState.left ?? 0;
    if (quantity > left) {
      if (queuedAt === null || queuedAt >= pastTime(stock.since, now)) return { refusal: itemOut(line, left) };
      soldOut.add(line.id);
    }
    if (left === 0) continue;
    const itemState = counted(stock.itemState, Math.max(0, subtract(left, quantity)), now);
    taken.set(productId, { itemState, since: stock.since });
  }
  return { soldOut, itemStates: [...taken.values()].map(({ itemState }) => itemState) };
}

/** Counts what is returned, unless somebody has said since it was sent how much there is: that counts it already. */
export function returnItems(
  returned: readonly ReturnedItem[],
  stockOf: (productId: string) => Stock | null,
  now: number,
): ItemState[] {
  const states = new Map<string, ItemState>();
  for (const { productId, quantity, sentAt } of returned) {
    const itemState = states.get(productId) ?? stockOf(productId)?.itemState;
    if (itemState?.saidAt === undefined || isAvailable(itemState, now) || itemState.saidAt > sentAt) continue;
    states.set(productId, counted(itemState, sum([itemState.left ?? 0, quantity]), now));
  }
  return [...states.values()];
}

/** What is left of a product after a ticket's line. */
export function countDown(itemState: ItemState, line: Pick<TicketLine, "quantity" | "cancelledQuantity">, now: number) {
  return counted(itemState, Math.max(0, subtract(itemState.left ?? 0, activeQuantity(line))), now);
}

/** What becomes of a product; null when a limited one does not say how many are left. */
export function itemStateOf({ productId, state, left, until }: SetItemState, now: number): ItemState | null {
  if (state === "limited" && left == null) return null;
  const isOver = until != null && timeOf(until) <= now;
  const said = { productId, updatedAt: isoTime(now), saidAt: isoTime(now) };
  if (state === "available" || isOver) return { ...said, state: "available", left: null, until: null };
  return { ...said, ...countedAs(state === "limited" ? (left ?? 0) : 0), until: until ?? null };
}

function counted(itemState: ItemState, left: number, now: number): ItemState {
  return { ...itemState, ...countedAs(left), updatedAt: isoTime(now) };
}

function countedAs(left: number): Pick<ItemState, "state" | "left"> {
  return { state: left > 0 ? "limited" : "out", left };
}

/** Whether a product can be sold; the hub's sweep may be a moment late. */
export function isAvailable({ state, until }: ItemState, now: number): boolean {
  return state === "available" || (until !== null && timeOf(until) <= now);
}

function itemOut(line: StoredLine, left: number): ItemOut {
  const name = typeof line["name"] === "string" ? line["name"] : `product ${line.productId}`;
  return { code: "ITEM_OUT", values: { lineId: line.id, name, left } };
}
