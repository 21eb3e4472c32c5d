import { BATCH_CAPABILITY, type HubMessage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const caps = [BATCH_CAPABILITY];

/** Number of messages that are sent without batching. */
const AT_ONCE = 16;

async function openHub() {
  const clock = manualClock();
  const hub = await startTestHub({ world: clock.world });
  const join = (deviceId: string, offers = caps) => hub.terminal({ deviceId, caps: offers });
  return {
    hub,
    clock,
    join,
    /** Makes so many terminals join and leave that further messages are batched. */
    async crowd() {
      for (let n = 0; n < AT_ONCE / 2; n += 1) {
        const passing = await join(`p${n}`);
        passing.close();
        await until("it is gone", () => hub.hub.connectedTerminals() === 0);
      }
    },
  };
}

/** Counts frames about other terminals from now on. */
function countFrames(terminal: TestTerminal): () => number {
  let frames = 0;
  terminal.socket.on("message", (data: Buffer) => {
    if (data.includes('"TERMINAL_')) frames += 1;
  });
  return () => frames;
}

/** Returns what a terminal received about others: `+a` joined, `-a` left, `@a` presence. */
function membershipOf({ received }: TestTerminal): string[] {
  const signs: Partial<Record<HubMessage["type"], string>> = {
    TERMINAL_JOINED: "+",
    TERMINAL_LEFT: "-",
    PRESENCE: "@",
  };
  return received.flatMap((message) => {
    const sign = signs[message.type];
    return sign !== undefined && "terminalId" in message ? [sign + message.terminalId] : [];
  });
}

/** Waits until everything that was sent in both directions has arrived. */
const settle = (terminals: readonly TestTerminal[]) =>
  Promise.all(terminals.map((terminal) => terminal.request({ type: "HEARTBEAT" })));

describe("joins and leaves", () => {
  it("joins and leaves in a reconnect storm reach each terminal in a few frames, and completely [TERM-90]", async () => {
    const { hub, clock, join } = await openHub();
    const names = Array.from({ length: 40 }, (_, n) => `t${n}`);
    const terminals: TestTerminal[] = [];
    const frames: (() => number)[] = [];
    for (const name of names) {
      const terminal = await join(name);
      frames.push(countFrames(terminal));
      terminals.push(terminal);
    }
    clock.advance(250);
    await settle(terminals);
    for (const [n, terminal] of terminals.entries()) {
      expect(membershipOf(terminal)).toEqual(names.slice(n + 1).map((name) => `+${name}`));
      expect(frames[n]?.()).toBeLessThanOrEqual(AT_ONCE);
    }
    const [first, ...others] = terminals;
    const framesBefore = frames[0]?.() ?? 0;
    for (const terminal of others) terminal.close();
    await until("they are gone", () => hub.hub.connectedTerminals() === 1);
    clock.advance(500);
    await settle([first!]);
    const departures = membershipOf(first!).filter((each) => each.startsWith("-"));
    expect(departures.toSorted()).toEqual(
      names
        .slice(1)
        .map((name) => `-${name}`)
        .toSorted(),
    );
    expect(frames[0]?.()).toBe(framesBefore + 1);
  });

  it("16 joins and leaves are sent at once, and further ones together after a short wait [TERM-90]", async () => {
    const { clock, join, crowd } = await openHub();
    await crowd();
    const first = await join("a", []);
    const frames = countFrames(first);
    await join("b");
    await join("c");
    await settle([first]);
    expect(membershipOf(first)).toEqual([]);
    clock.advance(250);
    await settle([first]);
    expect(membershipOf(first)).toEqual(["+b", "+c"]);
    expect(frames()).toBe(2);
    // After a quiet time the next message is sent at once again.
    clock.advance(500);
    await join("d");
    await first.next("TERMINAL_JOINED", ({ terminalId }) => terminalId === "d");
  });

  it("joins and leaves are delayed longer while they continue, two seconds at most [TERM-90]", async () => {
    const { clock, join, crowd } = await openHub();
    await crowd();
    const first = await join("a");
    const waits: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      await join(`b${n}`);
      let waited = 0;
      while (!membershipOf(first).includes(`+b${n}`)) {
        clock.advance(250);
        waited += 250;
        await settle([first]);
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  it("joins and leaves are in sequence, begin with a terminal's own sign-in and never concern itself [TERM-91]", async () => {
    const { hub, clock, join, crowd } = await openHub();
    await crowd();
    const watcher = await join("w");
    const first = await join("x");
    const early = await join("e");
    first.close();
    await until("it is gone", () => hub.hub.connectedTerminals() === 2);
    const again = await join("x");
    again.send({ type: "PRESENCE", tableId: 4 });
    await settle([again]);
    const late = await join("l");
    await settle([watcher]);
    expect(membershipOf(watcher)).toEqual([]);
    clock.advance(250);
    await settle([watcher, early, again, late]);
    expect(membershipOf(watcher)).toEqual(["+x", "+e", "-x", "+x", "@x", "+l"]);
    expect(membershipOf(early)).toEqual(["-x", "+x", "@x", "+l"]);
    expect(membershipOf(again)).toEqual(["+l"]);
    // Presences are sent at sign-in and not repeated.
    expect(membershipOf(late)).toEqual(["@x"]);
  });

  it("joins and leaves continue for a connection that replaces another of its device [TERM-91]", async () => {
    const { clock, join, crowd } = await openHub();
    await crowd();
    const before = await join("a");
    await join("b");
    const after = await join("a");
    expect(await before.closed).toBe(4409);
    clock.advance(250);
    await settle([after]);
    expect(membershipOf(after)).toEqual(["+b"]);
  });
});
