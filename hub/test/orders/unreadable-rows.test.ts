import { crc32 } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

describe("unreadable rows", () => {
  /** Creates three orders and damages the second while the hub is off. */
  async function withDamaged(change: (db: Database.Database) => void): Promise<TestHub> {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "reservations" } });
    const terminal = await hub.terminal({ login: "cashier" });
    for (const posReference of ["ONE", "BAD", "TWO"]) {
      await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
      await hub.external().post("/plugins/reservations/events", { key: posReference, payload: {} });
    }
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      change(db);
      db.close();
    });
    return hub;
  }

  /** Writes a wrong body with a valid checksum, as a faulty hub would. */
  function rewrite(db: Database.Database, alter: (body: string) => string): void {
    const select = "SELECT id, body FROM order_versions WHERE pos_reference = 'BAD'";
    const { id, body } = db.prepare<[], { id: number; body: string }>(select).get() ?? { id: 0, body: "" };
    const next = alter(body);
    expect(next).not.toBe(body);
    db.prepare("UPDATE order_versions SET body = ?, checksum = ? WHERE id = ?").run(next, crc32(next), id);
  }

  const damages: [string, (db: Database.Database) => void][] = [
    ["a total of null", (db) => rewrite(db, (body) => body.replace(/("totals":.*"total":)\d+/, "$1null"))],
    ["no lines", (db) => rewrite(db, (body) => body.replace('"lines":', '"lanes":'))],
    ["a body that is no JSON", (db) => rewrite(db, (body) => body.slice(0, -9))],
    [
      "flipped bits",
      (db) => db.exec("UPDATE order_versions SET body = replace(body, '100', '1\"0') WHERE pos_reference = 'BAD'"),
    ],
    ["a forward state that is no JSON", (db) => db.exec("UPDATE orders SET forward = '{' WHERE pos_reference = 'BAD'")],
  ];

  it.each(damages)(
    "an order with %s is left out of every list [TERM-86, EXT-72, ORDER-64]",
    async (damageName, damage) => {
      const hub = await withDamaged(damage);
      const references = (orders: { posReference: string }[]) => orders.map((order) => order.posReference).sort();
      const { sync } = await hub.terminal({ deviceId: "new" });
      expect(references(sync.orders)).toEqual(["ONE", "TWO"]);
      expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["data_file"] });
      const listed = await hub.external().get("/orders");
      // What the list shows does not depend on the forward state.
      expect(listed.status).toBe(200);
      expect(references(listed.body.orders)).toEqual(
        damageName.startsWith("a forward") ? ["BAD", "ONE", "TWO"] : ["ONE", "TWO"],
      );
      const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
      for (const route of [
        "/orders?status=all",
        "/orders?status=active",
        "/overview",
        "/kitchen",
        "/floor-plan",
        "/closing",
      ]) {
        const answer = await hub.send("GET", `/operator/v1${route}`, { headers });
        expect([route, answer.status]).toEqual([route, 200]);
        if (route.startsWith("/orders")) expect(references(answer.body.orders)).toEqual(["ONE", "TWO"]);
      }
    },
  );

  it("an unreadable plugin record does not affect the other records [EXT-73, TERM-86]", async () => {
    const hub = await withDamaged((db) => db.exec("UPDATE plugin_records SET payload = '{' WHERE key = 'BAD'"));
    const { sync } = await hub.terminal({ deviceId: "new" });
    expect(sync.pluginRecords.map((record) => record.key)).toEqual(["ONE", "TWO"]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: ["data_file"] });
  });

  it.each(["post", "delete"] as const)(
    "an unreadable plugin record does not prevent a %s of it [EXT-73]",
    async (way) => {
      const hub = await withDamaged((db) => db.exec("UPDATE plugin_records SET payload = '{' WHERE key = 'BAD'"));
      const events = "/plugins/reservations/events";
      const terminal = await hub.terminal({ deviceId: "new" });
      const external = hub.external();
      expect((await external.get(`${events}/BAD`)).status).toBe(404);
      if (way === "post") {
        const again = await external.post(events, { key: "BAD", payload: {} });
        expect(again).toMatchObject({ status: 202, body: { version: 2 } });
        expect(await terminal.next("PLUGIN_RECORD")).toMatchObject({ record: { key: "BAD" } });
      } else {
        expect((await external.delete(`${events}/BAD`)).status).toBe(200);
        expect(await terminal.next("PLUGIN_REMOVED")).toMatchObject({ key: "BAD" });
      }
    },
  );

  it("an unreadable discarded order does not prevent a search for others [ORDER-64]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    for (const posReference of ["ONE", "BAD"]) {
      await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
      await terminal.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1 });
    }
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      rewrite(db, (body) => body.slice(0, -9));
      db.close();
    });
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const answer = await hub.send("GET", "/operator/v1/orders?status=removed&search=O", { headers });
    expect(answer.status).toBe(200);
    expect(answer.body.orders).toMatchObject([{ posReference: "ONE" }]);
  });
});
