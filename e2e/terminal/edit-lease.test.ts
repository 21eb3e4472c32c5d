import { terminalLimits } from "@comanda/protocol";
import { addLine, createEditLease, memoryStorage, realWorld, type Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualWorld } from "../../clients/terminal/test/manual-world.ts";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { fresh, startTerminal, wireToHub } = useRestaurant({
  HUB_HEARTBEAT_MS: "1000",
  HUB_GRACE_MS: "1500",
});

/** Starts a terminal with a person who edits on it; the test controls the time between edits. */
async function startEditor(options: Parameters<typeof startTerminal>[0] = {}) {
  const terminal = await startTerminal(options);
  const { timers, advance } = manualWorld();
  const lease = createEditLease(terminal, timers);
  return {
    terminal,
    lease,
    /** Advances the time without any activity on the device. */
    pause: advance,
    add(posReference: string, lineId: string) {
      const mutation = terminal.editOrder(posReference, (content) => addLine(content, lineOf(lineId)));
      lease.edited(posReference);
      return mutation;
    },
  };
}

/** Lets two people share a check with a soup, each on their own terminal; Ana's is on a wire. */
async function sharedCheck(second: Parameters<typeof startTerminal>[0] = {}) {
  const wire = await wireToHub();
  const [ana, luis] = [await startEditor({ url: wire.url, login: "waiter" }), await startEditor(second)];
  const order = newOrder(fresh("POS/L"), [lineOf("soup")]);
  ana.terminal.openOrder(order);
  await ana.terminal.idle();
  await eventually(() => luis.terminal.order(order.posReference)?.version).toBe(1);
  return { wire, ana, luis, check: order.posReference };
}

const linesOf = (terminal: Terminal, posReference: string): string[] | undefined =>
  terminal.order(posReference)?.snapshot.lines.map(({ id }) => id);

describe("edit lease", () => {
  it("an edit lease is requested with the first edit, which does not wait for it, and ends when it is done [CLIENT-300] [CLIENT-307]", async () => {
    const { wire, ana, luis, check } = await sharedCheck();
    wire.fromHub = (message) => (message.type === "LEASE_GRANTED" ? "drop" : "pass");
    expect(await ana.add(check, "beer").outcome).toMatchObject({ state: "acknowledged" });
    expect(ana.lease.state()).toBe("asking");
    await eventually(() => luis.terminal.leaseHolder(check)?.userName).toBe("Wendy Almonte");
    wire.fromHub = () => "pass";
    ana.lease.done();
    await eventually(() => luis.terminal.leaseHolder(check)).toBe(null);

    ana.add(check, "wine");
    await eventually(() => ana.lease.state()).toBe("held");
    expect(ana.terminal.leaseHolder(check)?.terminalId).toBe(ana.terminal.deviceId);
    ana.lease.done("another check");
    expect(ana.lease.state()).toBe("held");
    ana.lease.done(check);
    await eventually(() => [ana, luis].map(({ terminal }) => terminal.leaseHolder(check))).toEqual([null, null]);
  });

  it("an edit lease ends 20 s after the last touch, once the hub has the edits made under it [CLIENT-300]", async () => {
    const { wire, ana, luis, check } = await sharedCheck();
    ana.add(check, "beer");
    await eventually(() => ana.lease.state()).toBe("held");
    for (let touches = 0; touches < 3; touches += 1) {
      ana.pause(19_999);
      ana.lease.touched();
    }
    expect(ana.lease.state()).toBe("held");
    await ana.terminal.idle();
    wire.fromTerminal = (message) => (message.type === "ORDER_UPSERT" ? "drop" : "pass");
    ana.add(check, "wine");
    await eventually(() => wire.terminalMessages.filter(({ type }) => type === "ORDER_UPSERT").length).toBe(3);
    ana.pause(20_000);
    expect(ana.lease.state()).toBe("none");
    expect(wire.terminalMessages.map(({ type }) => type)).not.toContain("LEASE_RELEASE");
    ana.pause(5_000);
    await eventually(() => luis.terminal.leaseHolder(check)).toBe(null);
  });

  it("edits under another terminal's lease wait and follow in their order, over a restart too [CLIENT-301] [CLIENT-302]", async () => {
    const { ana, check } = await sharedCheck();
    ana.add(check, "beer");
    await eventually(() => ana.lease.state()).toBe("held");
    await ana.terminal.idle();

    const storage = memoryStorage();
    const luis = await startEditor({ storage });
    luis.add(check, "wine");
    luis.add(check, "flan");
    luis.terminal.sendToKitchen(check, ["wine"]);
    expect(luis.lease.state()).toBe("denied");
    expect(luis.terminal.order(check)?.pending).toBe(3);
    expect(linesOf(luis.terminal, check)).toEqual(["soup", "beer", "wine", "flan"]);
    await luis.terminal.stop();
    const again = await startEditor({ storage });
    expect(linesOf(again.terminal, check)).toEqual(["soup", "beer", "wine", "flan"]);
    ana.add(check, "cake");
    await ana.terminal.idle();
    expect(linesOf(ana.terminal, check)).toEqual(["soup", "beer", "cake"]);

    ana.lease.done();
    await again.terminal.idle();
    await eventually(() => linesOf(ana.terminal, check)).toEqual(["soup", "beer", "cake", "wine", "flan"]);
    expect(again.terminal.conflicts()).toEqual([]);
    await eventually(() =>
      ana.terminal.order(check)?.snapshot.lines.map(({ sentQuantity = 0 }) => sentQuantity),
    ).toEqual([0, 0, 0, 1, 0]);
  });

  it("a lease that becomes free passes to the person who still edits [CLIENT-302]", async () => {
    const { ana, luis, check } = await sharedCheck();
    ana.add(check, "beer");
    await eventually(() => luis.terminal.leaseHolder(check)?.terminalId).toBe(ana.terminal.deviceId);
    luis.add(check, "wine");
    ana.lease.done();
    await eventually(() => luis.lease.state()).toBe("held");
    luis.lease.done();
    luis.lease.edited(check);
    ana.add(check, "cake");
    ana.pause(20_000);
    luis.lease.done();
    await eventually(() => ana.terminal.leaseHolder(check)).toBe(null);
    expect(ana.lease.state()).toBe("none");
  });

  it("a manager takes over a lease, and later edits of its former holder wait [CLIENT-303]", async () => {
    const { ana, luis, check } = await sharedCheck();
    const lost: unknown[] = [];
    ana.terminal.on("leaseLost", (event) => lost.push(event));
    ana.add(check, "beer");
    await eventually(() => luis.terminal.leaseHolder(check)?.terminalId).toBe(ana.terminal.deviceId);
    const waiting = luis.add(check, "wine");
    await luis.lease.takeOver(check, luis.terminal);
    expect(luis.lease.state()).toBe("held");
    expect(await waiting.outcome).toMatchObject({ state: "acknowledged" });
    await eventually(() => lost).toMatchObject([{ posReference: check, by: { userName: "Marisol Peña" } }]);
    expect(ana.lease.state()).toBe("denied");
    ana.add(check, "cake");
    luis.lease.done();
    await ana.terminal.idle();
    await eventually(() => linesOf(luis.terminal, check)).toEqual(["soup", "beer", "wine", "cake"]);
  });

  it("a person without the right cannot take over a lease [CLIENT-303]", async () => {
    const { ana, luis, check } = await sharedCheck({ login: "cashier" });
    ana.add(check, "beer");
    await eventually(() => luis.terminal.leaseHolder(check)?.terminalId).toBe(ana.terminal.deviceId);
    await expect(luis.lease.takeOver(check, luis.terminal)).rejects.toMatchObject({ code: "LEASE_HELD" });
    expect(luis.lease.state()).toBe("none");
    expect(luis.terminal.leaseHolder(check)?.userName).toBe("Wendy Almonte");
  });

  it("a lease request times out after 10 s while edits go on, and the next edit requests it again [CLIENT-304]", async () => {
    const wire = await wireToHub();
    const real = realWorld();
    const timeOuts = new Set<() => void>();
    const after = (ms: number, work: () => void) => {
      if (ms !== terminalLimits.leaseRequestTimeoutMs) return real.timers.after(ms, work);
      timeOuts.add(work);
      return () => timeOuts.delete(work);
    };
    const terminal = await startTerminal();
    const order = newOrder(fresh("POS/L"), [lineOf("soup")]);
    terminal.openOrder(order);
    await terminal.idle();
    const slow = await startEditor({ url: wire.url, world: { ...real, timers: { after } } });
    let dropped = 0;
    wire.fromHub = (message) => {
      if (message.type !== "LEASE_GRANTED") return "pass";
      dropped += 1;
      return "drop";
    };
    await slow.add(order.posReference, "beer").outcome;
    await eventually(() => dropped).toBe(1);
    for (const timeOut of timeOuts) timeOut();
    await eventually(() => slow.lease.state()).toBe("timed out");
    wire.fromHub = () => "pass";
    await slow.add(order.posReference, "wine").outcome;
    await eventually(() => slow.lease.state()).toBe("held");
  });

  it("a lease that a terminal held before its restart is released when it reconnects [CLIENT-308]", async () => {
    const { ana, check } = await sharedCheck();
    const device = { storage: memoryStorage(), deviceId: fresh("t") };
    const before = await startEditor(device);
    await eventually(() => before.terminal.order(check)?.version).toBe(1);
    before.add(check, "wine");
    await eventually(() => before.lease.state()).toBe("held");
    await eventually(() => ana.terminal.leaseHolder(check)?.terminalId).toBe(before.terminal.deviceId);
    await before.terminal.stop();
    expect(ana.terminal.leaseHolder(check)?.terminalId).toBe(before.terminal.deviceId);
    const after = await startEditor(device);
    await eventually(() => ana.terminal.leaseHolder(check)).toBe(null);
    expect(after.terminal.leaseHolder(check)).toBe(null);
    ana.add(check, "beer");
    await eventually(() => ana.lease.state()).toBe("held");
  });

  it("an offline terminal requests no lease, and the lease of a lost terminal ends with the grace period [CLIENT-305]", async () => {
    const { wire, ana, luis, check } = await sharedCheck();
    ana.add(check, "beer");
    await eventually(() => luis.terminal.leaseHolder(check)?.terminalId).toBe(ana.terminal.deviceId);
    await ana.terminal.idle();
    const waiting = luis.add(check, "wine");
    const acquireCount = () => wire.terminalMessages.filter(({ type }) => type === "LEASE_ACQUIRE").length;
    wire.fromTerminal = () => "cut";
    wire.cut();
    await eventually(() => ana.terminal.connection().name).toBe("waiting");
    expect(ana.lease.state()).toBe("none");
    const before = acquireCount();
    ana.add(check, "cake");
    expect([ana.lease.state(), acquireCount()]).toEqual(["none", before]);
    expect(linesOf(ana.terminal, check)).toEqual(["soup", "beer", "cake"]);
    await eventually(() => luis.lease.hasLeft(ana.terminal.deviceId)).toBe(true);
    expect(luis.terminal.leaseHolder(check)?.userName).toBe("Wendy Almonte");
    expect(await waiting.outcome).toMatchObject({ state: "acknowledged" });
    luis.lease.done();
    wire.fromTerminal = () => "pass";
    await eventually(() => linesOf(luis.terminal, check)).toEqual(["soup", "beer", "wine", "cake"]);
    expect(luis.lease.hasLeft(ana.terminal.deviceId)).toBe(false);
  });
});

type Step = { index: 0 | 1 | 2; act: "add" | "pause" | "leave" | "take" | "cut" | "send" };

const anyStep: fc.Arbitrary<Step> = fc.record({
  index: fc.constantFrom(0, 1, 2),
  act: fc.constantFrom("add", "add", "add", "pause", "leave", "take", "cut", "send"),
});

describe("random edits of one check", () => {
  it("random edits of one check by three people lose and double nothing, and leave no lease [CLIENT-306]", async () => {
    const wires = await Promise.all([wireToHub(), wireToHub(), wireToHub()]);
    const people = await Promise.all(wires.map(({ url }) => startEditor({ url })));
    const [first] = people;
    const evening = async (steps: Step[]): Promise<void> => {
      const { posReference, ...order } = newOrder(fresh("POS/E"), [lineOf("soup")]);
      first!.terminal.openOrder({ posReference, ...order });
      await first!.terminal.idle();
      await eventually(() => people.every(({ terminal }) => terminal.order(posReference) !== undefined)).toBe(true);
      const added: string[] = [];
      for (const [at, { index, act }] of steps.entries()) {
        const person = people[index]!;
        if (act === "add") {
          added.push(`line-${at}`);
          person.add(posReference, `line-${at}`);
        }
        if (act === "pause") person.pause(20_000);
        if (act === "leave") person.lease.done();
        if (act === "take") person.lease.takeOver(posReference, person.terminal).catch(() => {});
        if (act === "cut") wires[index].cut();
        if (act === "send") person.terminal.sendToKitchen(posReference);
        if (at % 3 === 0) await new Promise((resolve) => void setImmediate(resolve));
      }
      for (const { lease, pause } of people) {
        lease.done();
        pause(30_000);
      }
      await Promise.all(people.map(({ terminal }) => terminal.idle()));
      const all = ["soup", ...added].toSorted();
      for (const { terminal } of people) {
        await eventually(() => linesOf(terminal, posReference)?.toSorted()).toEqual(all);
        expect(terminal.conflicts()).toEqual([]);
        await eventually(() => terminal.leaseHolder(posReference)).toBe(null);
      }
      const lines = first!.terminal.order(posReference)?.snapshot.lines ?? [];
      expect(lines.filter(({ quantity, sentQuantity = 0 }) => quantity !== 1 || sentQuantity > 1)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 24 }), evening), {
      numRuns: 12,
      endOnFailure: true,
    });
  }, 180_000);
});
