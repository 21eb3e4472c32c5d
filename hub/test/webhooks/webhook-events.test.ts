import { foldText } from "@comanda/protocol";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createSecretCipher } from "../../db/files/secret-cipher.ts";
import { createDeliveryStore } from "../../webhooks/deliveries/delivery-store.ts";
import { countDeliveries, findDeliveries, type DeliveryFilter } from "../../webhooks/deliveries/find-deliveries.ts";
import { createSubscriptionStore } from "../../webhooks/subscriptions/subscription-store.ts";
import { realWorld } from "../../platform/world.ts";
import { fullScansOf, partialIndexes, planOf, statementsOf } from "../support/data/query-plan.ts";

const world = realWorld(pino({ level: "silent" }));
const received = (posReference: string, version: number) =>
  JSON.stringify({
    event: "order.updated",
    timestamp: "2026-11-21T20:00:00.000Z",
    data: {
      posReference,
      version,
      origin: "till",
      snapshot: {
        status: "open",
        tableId: null,
        createdAt: "2026-11-21T19:00:00.000Z",
        updatedAt: "2026-11-21T20:00:00.000Z",
      },
    },
  });

describe("the cost of deliveries", () => {
  const large = ["webhook_deliveries", "d", "webhook_events", "e", "webhook_attempts", "a"];

  it("no statement of the delivery and subscription stores reads a whole table [HOOK-42]", () => {
    const db = openMemory(world);
    const cipher = createSecretCipher(null, world);
    const changes = createChangeLog(db, world);
    const statements = statementsOf(db, () => {
      createDeliveryStore(db);
      createSubscriptionStore({ world, db, cipher, changes });
    });
    expect(statements.length).toBeGreaterThan(30);
    const bounded = partialIndexes(db);
    expect(statements.filter((sql) => fullScansOf(planOf(db, sql), large, bounded).length > 0)).toEqual([]);
  });

  it("counts of deliveries are answered from indexes alone [HOOK-42]", () => {
    const db = openMemory(world);
    const counting = statementsOf(db, () => createDeliveryStore(db)).filter((sql) =>
      /^\s*SELECT[\s\S]*count\(\*\)/.test(sql),
    );
    expect(counting.length).toBeGreaterThanOrEqual(5);
    for (const sql of counting) {
      for (const step of planOf(db, sql).filter((each) => /^(SCAN|SEARCH)/.test(each))) {
        expect(step).toContain("USING COVERING INDEX");
      }
    }
  });

  it("a page of deliveries and its count read only the rows they show, unless they search [HOOK-43]", () => {
    const db = openMemory(world);
    const states = ["pending", "dead", "parked", "delivered", undefined] as const;
    for (const state of states) {
      for (const subscriptionId of [undefined, "ws_1"]) {
        const filter: DeliveryFilter = { state, subscriptionId };
        const statements = statementsOf(db, () => {
          findDeliveries(db, { ...filter, limit: 5 });
          countDeliveries(db, filter);
        });
        for (const sql of statements) {
          const isWhole = sql === "SELECT count(*) FROM webhook_deliveries WHERE true";
          // SQLite counts the entries per page of its smallest index without reading them.
          if (isWhole) expect(planOf(db, sql)[0]).toContain("COVERING INDEX");
          else expect([sql, fullScansOf(planOf(db, sql), large, partialIndexes(db))]).toEqual([sql, []]);
        }
      }
    }
  });

  it("a page of deliveries and its count match their filter [HOOK-43] [OP-170]", () => {
    const db = openMemory(world);
    const store = createDeliveryStore(db);
    const eventId = store.addEvent({ event: "order.updated", content: received("A1", 1), subject: "A1" }, 0);
    const states = ["pending", "dead", "parked", "delivered"] as const;
    for (let n = 0; n < 24; n += 1) {
      const subscriptionId = `ws_${n % 2}`;
      const event = n % 3 === 0 ? "order.paid" : "order.updated";
      const id = store.add({ subscriptionId, eventId, event, subject: `A${n}`, now: n }, false);
      db.prepare("UPDATE webhook_deliveries SET state = ? WHERE id = ?").run(states[Math.floor(n / 2) % 4], id);
    }
    const all = store.list({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, n) => 24 - n));
    for (const state of [undefined, ...states]) {
      for (const subscriptionId of [undefined, "ws_0", "ws_2"]) {
        for (const event of [undefined, "order.paid"]) {
          for (const search of [undefined, "A1", "á1", "b1"]) {
            const filter = { state, subscriptionId, event, search };
            const fitting = all.filter(
              (each) =>
                (state === undefined || each.state === state) &&
                (subscriptionId === undefined || each.subscriptionId === subscriptionId) &&
                (event === undefined || each.event === event) &&
                (search === undefined || foldText(each.subject).includes(foldText(search))),
            );
            expect(store.count(filter)).toEqual({ total: fitting.length });
            expect(store.list({ ...filter, limit: 2 })).toEqual(fitting.slice(0, 2));
            expect(store.list({ ...filter, below: 13, limit: 50 })).toEqual(fitting.filter(({ id }) => id < 13));
          }
        }
      }
    }
  });
});
