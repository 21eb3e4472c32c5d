import type { ItemState, SetItemState } from "@comanda/protocol";
import { itemStateOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import { createItemStateStore } from "./item-state-store.ts";

export type ItemStates = ReturnType<typeof createItemStates>;

/** More than any menu has. */
const MAX_PRODUCTS = 10_000;
/** The sweep runs when a product becomes available again, and at least this often. */
const SWEEP_MS = 60_000;

/** Manages which products are sold out ("86") or counted down. */
export function createItemStates(deps: { world: World; changes: ChangeLog; db: Db }) {
  const { world, changes } = deps;
  const store = createItemStateStore(deps.db);
  const loop = createLoop(world, "items that are available again", SWEEP_MS, sweep, () => {
    return (store.nextEndAt() ?? Infinity) - world.clock.now();
  });

  async function sweep(): Promise<void> {
    if (store.listEnded(world.clock.now()).length === 0) return;
    await changes.write((tx) => {
      for (const { productId } of store.listEnded(tx.now)) set(tx, { productId, state: "available" });
    });
  }

  /** Emits the new state of a product and returns the change. */
  function set(tx: Tx, request: SetItemState): ChangeOf<"item.changed"> {
    const { productId } = request;
    const before = store.get(productId);
    if (before === null && store.count() >= MAX_PRODUCTS) {
      throw new HubError("LIMIT_REACHED", `the hub stores the states of at most ${MAX_PRODUCTS} products`);
    }
    const itemState = itemStateOf(request, tx.now);
    if (itemState === null) throw explainedError("VALIDATION_ERROR", "limited_item_without_count");
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
    list: store.listScarce,

    /** Returns the stored state of a product that ran out at some time. */
    stockOf: store.get,
    /** Stores the counts left after a send. */
    count(tx: Tx, itemStates: readonly ItemState[]): void {
      for (const itemState of itemStates) tx.emit(store.save(tx, { itemState, since: tx.now }));
    },
  };
}
