import { memoryStorage } from "@comanda/terminal";
import { until } from "../../../hub/test/support/until.ts";
import { fastTimerWorld } from "../../support/fast-timer-world.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { signInTerminal } from "../read-hub.ts";

/** Opens a terminal that only observes. After a restore, it can offer the hub everything that it holds. */
export async function openTablet(restaurant: Restaurant, deviceId: string) {
  const storage = memoryStorage();
  let terminal = await open();

  async function open() {
    const opened = await restaurant.terminal(deviceId, { login: "cashier", storage, world: fastTimerWorld() });
    await online(opened);
    return opened;
  }

  async function waitingOffers(): Promise<number> {
    const offers = (await storage.loadCache()).find(([key]) => key === "offers")?.[1] ?? [];
    return (offers as { state: string }[]).filter(({ state }) => state === "waiting").length;
  }

  return {
    /** Resolves when the tablet has received everything that the hub has sent. */
    async untilSynced(): Promise<void> {
      const token = await restaurant.token("cashier");
      const reader = await signInTerminal(restaurant.hubUrl, token, { deviceId: "reader" });
      await until(`everything at ${deviceId}`, () => terminal.seq() >= reader.sync.seq);
      reader.close();
    },
    goAway: () => terminal.stop(),
    /** Resolves when the tablet is online and has no offers waiting. */
    async untilOffered(): Promise<void> {
      if (terminal.connection().name === "stopped") terminal = await open();
      await online(terminal);
      await until(`the offers of ${deviceId}`, async () => (await waitingOffers()) === 0, 30_000);
    },
  };
}
