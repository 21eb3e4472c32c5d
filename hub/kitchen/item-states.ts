import type { ItemState, SetItemState, StoredLine } from "@comanda/protocol";
import { subtract } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import { createLoop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createItemStateStore, type StockRow } from "./item-state-store.ts";

export type ItemStates = ReturnType<typeof createItemStates>;

/** More than any menu has. */
const MAX_PRODUCTS = 10_000;
/** The sweep comes when a product is available again, and at least this often. */
const SWEEP_MS = 60_000;

/** What has run out (86), and what is counted down. */
export function createItemStates(deps: { world: World; changes: ChangeLog; db: Db }) {
  const { world, changes } = deps;
  const store = createItemStateStore(deps.db);
  const loop = createLoop(world, "items that are available again", SWEEP_MS, sweep, () => {
    return (store.nextEndAt() ?? Infinity) - world.clock.now();
  });

  async function sweep(): Promise<void> {
    if (store.ended(world.clock.now()).length === 0) return;
    await changes.write((tx) => {
      for (const { productId } of store.ended(tx.now)) set(tx, { productId, state: "available" });
    });
  }

  /** Emits the new state of a product and returns the change. */
  function set(tx: Tx, request: SetItemState): ChangeOf<"item.changed"> {
    const { productId } = request;
    const before = store.get(productId);
    if (before === null && store.count() >= MAX_PRODUCTS) {
      throw new HubError("LIMIT_REACHED", `the hub keeps the states of ${MAX_PRODUCTS} products: no menu has more`);
    }
    const itemState = requestedState(request, tx.now);
    const staysOut = itemState.state === "out" && before?.itemState.state === "out";
    const change = store.save(tx, { itemState, since: staysOut ? before.since : tx.now });
    tx.emit(change);
    if (itemState.until !== null) loop.reschedule();
    return change;
  }

  return {
    start: loop.start,
    stop: loop.stop,
    set,
    /** Whether a state of a product was ever set. */
    has: (productId: ItemState["productId"]): boolean => store.get(productId) !== null,
    list: store.scarce,
    wireScarce: store.wireScarce,
    wireSince: store.wireSince,

    /**
     * Takes what is sent to the kitchen from what is left. Returns the ids of lines that are sold although their product
     * has run out: their send was queued before (`queuedAtMs`, ms since 1970 by the hub's clock). Any other such line
     * refuses the send with ITEM_OUT.
     */
    take(tx: Tx, lines: readonly { line: StoredLine; quantity: number }[], queuedAtMs: number | null): Set<string> {
      const soldOut = new Set<string>();
      const taken = new Map<string, StockRow>();
      for (const { line, quantity } of lines) {
        const { id, productId } = line;
        const stock = productId === undefined ? null : (taken.get(String(productId)) ?? store.get(productId));
        if (stock === null || isAvailable(stock.itemState, tx.now)) continue;
        const left = stock.itemState.left ?? 0;
        if (quantity > left) {
          if (queuedAtMs === null || queuedAtMs >= stock.since) throw itemOut(line, left);
          soldOut.add(id);
        }
        if (left === 0) continue;
        const rest = Math.max(0, subtract(left, quantity));
        const itemState = { ...stock.itemState, ...countedAs(rest), updatedAt: isoTime(tx.now) };
        taken.set(String(productId), { itemState, since: stock.since });
      }
      for (const { itemState } of taken.values()) tx.emit(store.save(tx, { itemState, since: tx.now }));
      return soldOut;
    },
  };
}

function requestedState({ productId, state, left, until }: SetItemState, now: number): ItemState {
  if (state === "limited" && left == null) {
    throw explainedError("VALIDATION_ERROR", "limited_item_without_count");
  }
  const isOver = until != null && Date.parse(until) <= now;
  const updatedAt = isoTime(now);
  if (state === "available" || isOver) return { productId, state: "available", left: null, until: null, updatedAt };
  return { productId, ...countedAs(state === "limited" ? (left ?? 0) : 0), until: until ?? null, updatedAt };
}

function countedAs(left: number): Pick<ItemState, "state" | "left"> {
  return { state: left > 0 ? "limited" : "out", left };
}

/** The sweep may be a moment late. */
function isAvailable({ state, until }: ItemState, now: number): boolean {
  return state === "available" || (until !== null && Date.parse(until) <= now);
}

function itemOut(line: StoredLine, left: number): HubError {
  const name = typeof line["name"] === "string" ? line["name"] : `product ${line.productId}`;
  const what = left === 0 ? `${name} has run out` : `only ${left} of ${name} left`;
  return new HubError("ITEM_OUT", `line ${line.id}: ${what}`, { lineId: line.id });
}
