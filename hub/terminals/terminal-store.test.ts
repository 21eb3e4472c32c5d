import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openMemory } from "../db/open.ts";
import { realWorld } from "../platform/world.ts";
import { createTerminalStore, MAX_DEVICES, outboxColumns } from "./terminal-store.ts";

function openStore() {
  const store = createTerminalStore(openMemory(realWorld(pino({ level: "silent" }))));
  let lastSeenAt = 0;
  function meet(terminalId: string, { isConfirmed = false, pending = 0, userId = 3 } = {}): void {
    const user = { userId, userName: "Ana", role: "cashier" as const };
    const client = { clientVersion: null, protocolVersion: 1, address: null, clockOffsetMs: null, outboxEmptyAt: null };
    const outbox = outboxColumns({ pending, oldestAt: null, payments: 0, amount: 0 });
    lastSeenAt += 1;
    store.signIn({ terminalId, lastSeenAt, ...user, ...client, ...outbox }, { keyDigest: terminalId, isConfirmed });
  }
  return { ...store, meet, known: () => new Set(store.list().map(({ terminalId }) => terminalId)) };
}

describe("remembered devices", () => {
  it("a new device replaces the remembered device that is least needed [TERM-111]", () => {
    const store = openStore();
    store.meet("busy", { isConfirmed: true, pending: 3 });
    store.meet("old", { isConfirmed: true });
    store.meet("connected");
    store.meet("made-up-with-work", { pending: 1 });
    while (store.known().size < MAX_DEVICES - 2) store.meet(`own-${store.known().size}`, { isConfirmed: true });
    store.meet("made-up");
    const removed: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const before = store.known();
      store.makeRoom((terminalId) => terminalId === "connected");
      removed.push(...[...before].filter((terminalId) => !store.known().has(terminalId)));
      store.meet(`new-${n}`, { isConfirmed: true });
    }
    expect(removed).toEqual(["made-up", "made-up-with-work", "old"]);
    expect(store.known().size).toBe(MAX_DEVICES);
  });

  it("made-up devices of a user with hundreds are forgotten before another user's only one [TERM-111]", () => {
    const store = openStore();
    store.meet("bens-own", { userId: 4 });
    for (let n = 1; n < MAX_DEVICES; n += 1) store.meet(`made-up-${n}`, { pending: 1 });
    for (let n = 0; n < 100; n += 1) {
      store.makeRoom((terminalId) => terminalId === "made-up-1");
      store.meet(`more-${n}`, { pending: 1 });
    }
    const known = store.known();
    expect(known.size).toBe(MAX_DEVICES);
    expect(["bens-own", "made-up-1", "made-up-2", "made-up-101", "made-up-102"].map((name) => known.has(name))).toEqual(
      [true, true, false, false, true],
    );
  });

  it("confirmed devices with unsent work and connected devices are not forgotten [TERM-111]", () => {
    const store = openStore();
    for (let n = 0; n < MAX_DEVICES; n += 1) store.meet(`busy-${n}`, { isConfirmed: n > 0, pending: 1 });
    store.makeRoom((terminalId) => terminalId === "busy-0");
    expect(store.known().size).toBe(MAX_DEVICES);
  });
});
