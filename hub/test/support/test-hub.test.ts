import { describe, expect, it } from "vitest";
import { startTestHub } from "./start-test-hub.ts";

describe("a hub under test", () => {
  it("a test hub serves its health and accepts a terminal, also after a restart ", async () => {
    const hub = await startTestHub();
    expect((await hub.send("GET", "/health")).body).toMatchObject({ connectedTerminals: 0, orders: 0 });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    expect(terminal.hello).toMatchObject({ terminalId: "till-1", user: { role: "cashier" } });
    await hub.restart();
    expect(await terminal.closed).toBe(1001);
    expect((await hub.terminal({ login: "cashier", deviceId: "till-1" })).sync.mode).toBe("full");
  });
});
