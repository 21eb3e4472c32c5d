import type { ChangeLog } from "../changes/change-log.ts";
import type { World } from "../world.ts";
import type { OrderHead, OrderStore } from "./order-store.ts";
import { presentSummary } from "./present-order.ts";

export type OrderList = ReturnType<typeof createOrderList>;

/** Summaries kept; versions never change, so what is kept is never wrong. */
const KEPT = 4_000;
/** Orders summarized before others get their turn. */
const SLICE = 100;

/** The list of orders as serialized JSON. A summary is made once per version, however often it is listed. */
export function createOrderList(deps: { world: World; changes: ChangeLog; orders: OrderStore }) {
  const { world, changes, orders } = deps;
  const kept = new Map<string, { version: number; text: string }>();

  /** Null for an order that cannot be shown: the others are listed all the same. */
  function textOf({ posReference, version }: OrderHead): string | null {
    const known = kept.get(posReference);
    if (known?.version === version) return known.text;
    const order = orders.shownVersion(posReference, version);
    if (order === null) return null;
    const text = JSON.stringify(presentSummary(order));
    if (kept.size >= KEPT) kept.clear();
    kept.set(posReference, { version, text });
    return text;
  }

  return {
    /** `{orders: […]}` of one moment, newest activity first. */
    async json(status: "active" | "all"): Promise<string> {
      await changes.settled();
      const heads = orders.heads(status);
      const texts: string[] = [];
      let made = 0;
      for (const head of heads) {
        if (kept.get(head.posReference)?.version !== head.version) made += 1;
        const text = textOf(head);
        if (text !== null) texts.push(text);
        if (made < SLICE) continue;
        made = 0;
        await new Promise<void>((resolve) => world.timers.setImmediate(resolve));
      }
      return `{"orders":[${texts.join(",")}]}`;
    },
  };
}
