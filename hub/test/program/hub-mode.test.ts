import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

describe("hub mode", () => {
  it("without hub mode new orders are refused with that reason, and existing ones continue [HUB-65]", async () => {
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

  it("without hub mode an open check can be split, to be paid in parts [HUB-66]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const terminal = await hub.terminal({ login: "cashier" });
    const lines = ["a", "b"].map((id) => ({ id, productId: 101, quantity: 1, unitPrice: 50, total: 50 }));
    const part = (posReference: string, baseVersion: number, ...ids: string[]) => ({
      posReference,
      baseVersion,
      snapshot: terminalSnapshot({ lines: lines.filter(({ id }) => ids.includes(id)) }),
    });
    await terminal.change({ type: "ORDER_UPSERT", ...part("A", 0, "a", "b") });
    await hub.backOffice.control("POST", "/hub", { hubMode: false });
    await until("the reason in /health", async () =>
      (await hub.send("GET", "/health")).body.reasons.includes("hub_mode_off"),
    );
    await terminal.change({ type: "ORDER_BATCH", orders: [part("A", 1, "a"), part("B", 0, "b")] });
    const others = [part("C", 0, "a"), part("D", 0, "b")];
    await expect(terminal.change({ type: "ORDER_BATCH", orders: others })).rejects.toMatchObject({
      errorCode: "NO_ACTIVE_SESSION",
    });
  });
});
