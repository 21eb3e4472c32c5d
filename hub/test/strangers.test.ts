import { describe, expect, it } from "vitest";
import { openSocket } from "./open-socket.ts";
import { startTestHub, type TestHub } from "./start-test-hub.ts";

describe("a proxy in front of the hub", () => {
  const env = { HUB_EXTERNAL_RATE_MAX: "1" };
  const statusFor = async (hub: TestHub, forwardedFor: string, localAddress?: string) => {
    const headers = { "X-Forwarded-For": forwardedFor };
    return (await hub.send("GET", "/external/v1/orders", { headers, ...(localAddress && { localAddress }) })).status;
  };

  it("[HUB-33] is not believed about addresses unless it is named", async () => {
    const hub = await startTestHub({ env });
    expect(await statusFor(hub, "10.0.0.1")).toBe(401);
    expect(await statusFor(hub, "10.0.0.2")).toBe(429);
  });

  it("[HUB-33] tells the addresses of its clients when HUB_TRUST_PROXY names it", async () => {
    const hub = await startTestHub({ env: { ...env, HUB_TRUST_PROXY: "127.0.0.1, 10.9.0.0/16" } });
    expect(await statusFor(hub, "10.0.0.1")).toBe(401);
    expect(await statusFor(hub, "10.0.0.1")).toBe(429);
    expect(await statusFor(hub, "10.0.0.2")).toBe(401);
    // What the client itself wrote stands before what the proxies have added.
    expect(await statusFor(hub, "10.0.0.3, 10.0.0.2, 10.9.1.1")).toBe(429);
    // Another machine cannot pass for the proxy.
    expect(await statusFor(hub, "10.0.0.4", "127.0.0.2")).toBe(401);
    expect(await statusFor(hub, "10.0.0.5", "127.0.0.2")).toBe(429);
  });

  it("[HUB-33] gives terminals the addresses that managers see", async () => {
    const hub = await startTestHub({ env: { HUB_TRUST_PROXY: "127.0.0.1" } });
    const terminal = await openSocket(hub.url, { headers: { "X-Forwarded-For": "10.0.0.7" } });
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1" });
    await terminal.first("AUTH_OK");
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const { body } = await hub.send("GET", "/operator/v1/terminals", { headers });
    expect(body.terminals).toMatchObject([{ terminalId: "till-1", address: "10.0.0.7" }]);
  });
});
