import { pino } from "pino";
import { expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { openMemory } from "../open.ts";
import { salvageOrders } from "./salvage-orders.ts";

it("webhook content is salvaged also from between two unreadable records [REST-8]", () => {
  const db = openMemory(realWorld(pino({ level: "silent" })));
  const at = "2026-11-28T20:00:00.000Z";
  const snapshot = { posReference: "A", status: "paid", createdAt: at, updatedAt: at };
  const data = { posReference: "A", version: 3, origin: "till", snapshot };
  const insert = db.prepare("INSERT INTO webhook_events (event, content) VALUES ('order.paid', ?)");
  const sound = JSON.stringify({ event: "order.paid", timestamp: at, data });
  const damaged = ["{", sound.replace('"data"', '"dada"'), sound.replace('"snapshot"', '"snapshop"')];
  for (const content of [...damaged, sound, ...damaged]) insert.run(content);
  expect(salvageOrders(db)).toEqual([
    expect.objectContaining({ kind: "order_paid", posReference: "A", version: 3, source: "webhook_log" }),
  ]);
});
