import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "./builders.ts";
import { operatorOf } from "./operator.ts";
import { startTestHub } from "./start-test-hub.ts";
import { until } from "./until.ts";

describe("hub mode off", () => {
  it("[HUB-65] refuses new orders of terminals and integrations with that reason, and existing ones go on", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    await until("the configuration", async () => (await hub.external().get("/session")).body.active);
    const terminal = await hub.terminal({ login: "cashier" });
    const open = (posReference: string, baseVersion = 0) =>
      terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot: terminalSnapshot() });
    await open("A");
    const order = { orderType: "takeout", lines: [{ productId: "101", quantity: 1, unitPrice: 118, total: 118 }] };
    const input = { ...order, totals: { subtotal: 118, tax: 0, total: 118 }, externalRef: "first" };
    expect((await hub.external().post("/orders", input)).status).toBe(201);
    await hub.backOffice.control("POST", "/hub", { hubMode: false });
    await until("the reason in /health", async () =>
      (await hub.send("GET", "/health")).body.reasons.includes("hub_mode_off"),
    );
    const reason = { errorCode: "NO_ACTIVE_SESSION", error: expect.stringContaining("hub mode") };
    await expect(open("B")).rejects.toMatchObject({ ...reason, retryable: true });
    expect(await hub.external().post("/orders", { ...input, externalRef: "second" })).toMatchObject({
      status: 409,
      body: reason,
    });
    expect((await hub.external().post("/orders", input)).status).toBe(200);
    await open("A", 1);
    await terminal.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 2,
      payments: [{ methodId: 1, amount: 100 }],
    });
    expect((await operatorOf(hub)("overview")).body).toMatchObject({ status: "degraded", reasons: ["hub_mode_off"] });
    await hub.backOffice.control("POST", "/hub", { hubMode: true });
    await until("health is good again", async () => (await hub.send("GET", "/health")).body.status === "ok");
    await open("B");
  });
});
