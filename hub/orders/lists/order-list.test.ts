import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { realWorld } from "../../platform/world.ts";
import { createOrderList } from "./order-list.ts";
import { createOrderStore } from "../store/order-store.ts";

const world = realWorld(pino({ level: "silent" }));

function setUp() {
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const orders = createOrderStore(db);
  let read = 0;
  const counting = {
    ...orders,
    shownVersion(posReference: string, version: number) {
      read += 1;
      return orders.shownVersion(posReference, version);
    },
  };
  const jobs = createJobs({ world, onFailure: () => undefined });
  const list = createOrderList({ world, changes, orders: counting, jobs, file: "", onDamage: () => undefined });
  const write = (references: readonly string[], status: Snapshot["status"] = "open") =>
    changes.write((tx) => {
      for (const posReference of references) {
        const previous = orders.get(posReference);
        const snapshot = { ...snapshotOf(posReference), status };
        const kind = previous === null ? "created" : "edited";
        tx.emit(orders.save(tx, { posReference, snapshot, kind, origin: "till", userName: null, previous }));
      }
    });
  /** Counts how many orders the list shows, and how many of them were read again. */
  const counts = async () => {
    read = 0;
    const { orders: shown } = JSON.parse(await list.active()) as { orders: unknown[] };
    return { shown: shown.length, read };
  };
  return { db, changes, list, write, counts };
}

function snapshotOf(posReference: string): Snapshot {
  return {
    posReference,
    status: "open",
    orderType: "takeout",
    tableId: null,
    guestCount: 1,
    createdAt: "2026-11-22T12:00:00.000Z",
    updatedAt: "2026-11-22T12:00:00.000Z",
    lines: [],
    totals: { subtotal: 0, tax: 0, total: 0 },
  };
}

describe("the list of active orders", () => {
  it("listing the active orders reads only those changed since the last list [EXT-79]", async () => {
    const { write, counts } = setUp();
    const references = Array.from({ length: 4_100 }, (_, index) => `R/${index}`);
    await write(references);
    expect(await counts()).toEqual({ shown: 4_100, read: 4_100 });
    expect(await counts()).toEqual({ shown: 4_100, read: 0 });
    await write(["R/7", "R/8"]);
    expect(await counts()).toEqual({ shown: 4_100, read: 2 });
    await write(references.slice(10), "closed");
    expect(await counts()).toEqual({ shown: 10, read: 0 });
  });

  it("an undone version of an order does not stay in the list [EXT-79]", async () => {
    const { db, changes, list, write } = setUp();
    await write(["R/1"]);
    const listed = list.active();
    const lost = write(["R/1"], "sent");
    await listed;
    const failed = changes.write(() => {
      db.exec("ROLLBACK");
      throw new Error("the disk is full");
    });
    expect((await Promise.allSettled([lost, failed])).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await write(["R/1"], "checkout");
    expect(JSON.parse(await list.active())).toMatchObject({ orders: [{ version: 2, status: "checkout" }] });
  });
});
