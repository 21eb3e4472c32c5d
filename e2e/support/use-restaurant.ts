import type { Terminal } from "@comanda/terminal";
import { afterAll, afterEach, beforeAll } from "vitest";
import { startBackOfficeInProcess } from "./back-office-in-process.ts";
import { online, openRestaurant, type Restaurant } from "./restaurant.ts";
import { startWire, type Wire } from "./wire.ts";

type TerminalOptions = Parameters<Restaurant["terminal"]>[1];

/** Opens a restaurant for all tests of a file and closes it after them; wires are closed after each test. */
export function useRestaurant(settings: Record<string, string>) {
  let opened: Restaurant | undefined;
  const wires: Wire[] = [];
  let names = 0;
  beforeAll(async () => {
    opened = await openRestaurant(settings, startBackOfficeInProcess);
  });
  afterEach(async () => {
    await Promise.all(wires.splice(0).map((wire) => wire.close()));
  });
  afterAll(() => opened?.close());

  return {
    restaurant,
    fresh,
    /** Starts a terminal on a new device; resolves when it is online. */
    async startTerminal(options: TerminalOptions = {}): Promise<Terminal> {
      const terminal = await restaurant().terminal(fresh("t"), options);
      await online(terminal);
      return terminal;
    },
    async wireToHub(): Promise<Wire> {
      const wire = await startWire(restaurant().hubSocketUrl);
      wires.push(wire);
      return wire;
    },
  };

  function restaurant(): Restaurant {
    if (opened === undefined) throw new Error("the restaurant opens before the first test");
    return opened;
  }

  /** Returns a name that is unique in this restaurant. */
  function fresh(prefix: string): string {
    return `${prefix}-${(names += 1)}`;
  }
}
