import { HUB_ORIGIN } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import type { OrderStore } from "./order-store.ts";
import { saveVersion } from "./save-version.ts";

/** The back-office has this paid order: it becomes `closed`, a version of the hub's own. */
export function closeOrder(orders: OrderStore, tx: Tx, posReference: string): void {
  const stored = orders.get(posReference);
  if (stored === null || stored.snapshot.status !== "paid") return;
  const hub = { terminalId: HUB_ORIGIN, userName: null };
  saveVersion({ orders }, tx, hub, {
    posReference,
    snapshot: { ...stored.snapshot, status: "closed" },
    kind: "closed",
    previous: stored,
    forward: { state: "done", at: isoTime(tx.now) },
  });
}
