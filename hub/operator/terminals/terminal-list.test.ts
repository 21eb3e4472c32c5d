import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createLeaseBook } from "../../leases/lease-book.ts";
import { createLeaseStore } from "../../leases/lease-store.ts";
import type { ConnectedTerminal } from "../../terminals/sessions/session-registry.ts";
import { createTerminalStore } from "../../terminals/terminal-store.ts";
import { realWorld } from "../../platform/world.ts";
import { createTerminalList } from "./terminal-list.ts";

const world = realWorld(pino({ level: "silent" }));
const user = { userId: 1, userName: "Ana", role: "waiter" } as const;

/** A list of `count` terminals, every second one connected, plus one that the data file does not have. */
async function setUp(count: number) {
  const db = openMemory(world);
  const store = createTerminalStore(db);
  const changes = createChangeLog(db, world);
  const leases = createLeaseBook({
    world,
    time: world.clock,
    changes,
    store: createLeaseStore(db),
    whyFinished: () => null,
    isKnown: () => true,
    ttlMs: 60_000,
    graceMs: 10_000,
  });
  let lookups = 0;
  let lists = 0;
  const connected = new Map<string, ConnectedTerminal>();
  const connect = (terminalId: string) =>
    connected.set(terminalId, {
      session: { lastHeardAt: () => 0, pingMs: () => null, address: "::1" },
      active: {
        get terminalId() {
          lookups += 1;
          return terminalId;
        },
        identity: user,
        presence: {},
        connectedAt: 0,
        clock: { offsetMs: () => 0 },
      },
    } as unknown as ConnectedTerminal);
  for (let n = 0; n < count; n += 1) {
    const terminalId = `t${String(n).padStart(3, "0")}`;
    const facts = { terminalId, ...user, clientVersion: null, protocolVersion: 1, address: null, lastSeenAt: 0 };
    store.signIn(
      {
        ...facts,
        clockOffsetMs: null,
        outboxPending: n,
        outboxOldestAt: null,
        outboxPayments: null,
        outboxAmount: null,
        outboxEmptyAt: null,
      },
      { keyDigest: null, isConfirmed: null },
    );
    if (n % 2 === 0) connect(terminalId);
    await leases.acquire({
      posReference: `O${n}`,
      terminalId,
      userName: "Ana",
      role: "editor",
      takeover: false,
    });
  }
  connect("stranger");
  const counting = {
    ...store,
    list() {
      lists += 1;
      return store.list();
    },
  };
  const terminals = {
    connected: () => [...connected.values()],
    find: (terminalId: string) => connected.get(terminalId) ?? null,
  };
  const list = createTerminalList({
    world,
    store: counting,
    terminals,
    leases,
    placeOfOrder: () => null,
    graceMs: 10_000,
  });
  return { list, looks: () => lookups, lists: () => lists };
}

describe("the terminal list", () => {
  it("listing the terminals reads each of them once [OP-86]", async () => {
    const lookupsFor = async (count: number): Promise<number> => {
      const { list, looks } = await setUp(count);
      expect(list.list()).toHaveLength(count + 1);
      return looks();
    };
    expect(await lookupsFor(80)).toBeLessThan(3 * (await lookupsFor(40)));
  });

  it("reading one terminal reads no others and gives the same result as the list [OP-86]", async () => {
    const { list, lists, looks } = await setUp(20);
    const all = list.list();
    const before = { lists: lists(), looks: looks() };
    const ids = all.map(({ terminalId }) => terminalId);
    expect(ids.map(list.get).map((each) => each?.leases)).toEqual(all.map((each) => each.leases));
    expect(ids.map(list.get).map((each) => each?.state)).toEqual(all.map((each) => each.state));
    expect(ids.filter(list.isConnected)).toHaveLength(11);
    expect(list.get("nobody")).toBeNull();
    expect(lists()).toBe(before.lists);
    // Eleven of them are connected, and each was read twice.
    expect(looks() - before.looks).toBeLessThanOrEqual(2 * 11);
  });
});
