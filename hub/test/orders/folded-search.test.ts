import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { countEvents } from "../../forwarding/find-events.ts";
import { createLogTail } from "../../platform/log-tail.ts";
import { realWorld } from "../../platform/world.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const world = realWorld(pino({ level: "silent" }));

describe("search", () => {
  it("a search finds open, paid and discarded orders whatever the case and accents [OP-170]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier" });
    const open = (posReference: string, content: Record<string, unknown>) =>
      till.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion: 0,
        snapshot: terminalSnapshot(content),
      });
    await open("Open", { customerName: "José NÚÑEZ" });
    await open("Paid", { customerName: "núñez & hijos" });
    await open("Gone", { staffName: "Zoila Nun\u0303ez" });
    await till.change({
      type: "ORDER_PAY",
      posReference: "Paid",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await till.change({ type: "ORDER_DISCARD", posReference: "Gone", baseVersion: 1, reason: "test" });
    const found = async (search: string, status = "all") => {
      const { body } = await call("orders", { query: { search, status } });
      return body.orders.map((order: { posReference: string }) => order.posReference).toSorted();
    };
    for (const search of ["nunez", "Núñez", "NUÑEZ"]) {
      expect(await found(search), search).toEqual(["Gone", "Open", "Paid"]);
      expect(await found(search, "active"), search).toEqual(["Open"]);
      expect(await found(search, "removed"), search).toEqual(["Gone"]);
    }
    expect(await found("nunes")).toEqual([]);
  });

  it("a search finds forwarded events, audit entries and log lines whatever the case and accents [OP-170]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "bar" });
    await call("forgetTerminal", { params: { terminalId: "bar" } });
    await terminal.closed;
    const { body } = await call("audit", { query: { search: "TERMINÁL.forget" } });
    expect(body.entries).toMatchObject([{ target: "bar" }]);

    const db = new Database(":memory:");
    db.pragma("foreign_keys = OFF");
    migrate(db, world);
    db.exec(`INSERT INTO hub_events (type, pos_reference, version, created_at, state, error)
      VALUES ('hub_finalize', 'A', 1, 1, 'attention', '{"words":"La sesión está cerrada"}')`);
    expect(countEvents(db, { state: "attention", search: "SESION esta" })).toEqual({ total: 1 });

    const tail = createLogTail();
    tail.write(JSON.stringify({ level: "info", time: "2026-11-21T18:30:00.000Z", msg: "copia hecha en José" }));
    expect(tail.find({ level: "info", search: "jose", limit: 10 })).toHaveLength(1);
  });
});
