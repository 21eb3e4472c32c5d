import { memoryStorage, openTerminal } from "@comanda/terminal";
import { openWsSocket } from "@comanda/terminal/node";
import { onTestFinished } from "vitest";
import type { TestHub } from "../../hub/test/start-test-hub.ts";
import { until } from "../../hub/test/until.ts";
import { hastyWorld } from "../support/hasty-world.ts";
import { online } from "../support/restaurant.ts";

/** A terminal that only looks on: what it holds is what it can offer. */
export async function openTablet(hub: TestHub, deviceId: string) {
  const storage = memoryStorage();
  let terminal = await open();

  async function open() {
    const opened = await openTerminal({
      url: `ws://127.0.0.1:${hub.port}`,
      deviceId,
      token: await hub.signIn("cashier"),
      openSocket: openWsSocket,
      storage,
      world: hastyWorld(),
    });
    onTestFinished(opened.stop);
    await online(opened);
    return opened;
  }

  async function waitingOffers(): Promise<number> {
    const offers = (await storage.loadCache()).find(([key]) => key === "offers")?.[1] ?? [];
    return (offers as { state: string }[]).filter(({ state }) => state === "waiting").length;
  }

  return {
    /** Resolves when it has heard everything that the hub has told. */
    async hasHeardAll(): Promise<void> {
      const reader = await hub.terminal({ login: "cashier", deviceId: "reader" });
      await until(`everything at ${deviceId}`, () => terminal.seq() >= reader.sync.seq);
      reader.close();
    },
    goAway: () => terminal.stop(),
    /** Resolves when it is online, and nothing of what it holds waits to be offered. */
    async hasOffered(): Promise<void> {
      if (terminal.connection().name === "stopped") terminal = await open();
      await online(terminal);
      await until(`the offers of ${deviceId}`, async () => (await waitingOffers()) === 0);
    },
  };
}
