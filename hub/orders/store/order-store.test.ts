import { pino } from "pino";
import { expect, it } from "vitest";
import type { Snapshot } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { realWorld } from "../../platform/world.ts";
import { createOrderStore } from "./order-store.ts";

const world = realWorld(pino({ level: "silent" }));

it("an order version that could not be read back is not stored, and the present one stays [ORDER-130]", async () => {
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const orders = createOrderStore(db);
  const save = (over: object) =>
    changes.write((tx) => {
      const previous = orders.get("A");
      const snapshot = { ...sound, ...over };
      const kind = previous === null ? "created" : "edited";
      orders.save(tx, { posReference: "A", snapshot, kind, origin: "till", userName: null, previous });
    });
  await save({});
  await expect(save({ guestCount: Number.NaN })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(save({ status: "lost" })).rejects.toThrow("snapshot.status");
  await expect(save({ totals: { subtotal: 0, tax: 0, total: null } })).rejects.toThrow("snapshot.totals.total");
  orders.raiseFloor("A", Number.MAX_SAFE_INTEGER);
  await expect(save({})).rejects.toThrow("version");
  expect(orders.shown("A")).toMatchObject({ version: 1, snapshot: sound });
});

const sound: Snapshot = {
  posReference: "A",
  status: "open",
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  createdAt: "2026-11-22T12:00:00.000Z",
  updatedAt: "2026-11-22T12:00:00.000Z",
  lines: [],
  totals: { subtotal: 0, tax: 0, total: 0 },
};
