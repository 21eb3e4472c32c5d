import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { StoredOrder } from "@comanda/protocol";
import { startWire, type Wire } from "../../support/wire.ts";
import { openTestBed, type TestBed } from "../test-bed.ts";
import { withTimeout } from "../../support/with-timeout.ts";
import { createLedger, type Difference, type Ledger } from "../ledger.ts";
import { reportDifferences, type Part, type Round } from "../part.ts";
import { readHub, type HubView } from "../read-hub.ts";
import { compareBackOffice, isForwarded } from "../reconcile.ts";
import type { TerminalEvent, TerminalWork } from "../terminal/events.ts";
import { withCrew } from "../with-crew.ts";

type Stored = Extract<TerminalEvent, { kind: "stored" }>;

const CREW = 3;
const STEPS = 50;
const program = join(import.meta.dirname, "../terminal/main.ts");

/** Terminals are killed with SIGKILL and restarted on the same outbox, or their network comes and goes. */
export const terminals: Part = {
  name: "terminals",
  rounds: { long: 24, short: 2 },
  concurrency: 1,
  async open() {
    const bed = await openTestBed(() => ({ HUB_GRACE_MS: "200", HUB_HEARTBEAT_MS: "2000" }));
    return {
      run: (round) => (round.index % 2 === 0 ? killTerminal(bed, round) : flapNetwork(bed, round)),
      close: () => bed.restaurant.close(),
    };
  },
};

async function killTerminal(bed: TestBed, round: Round): Promise<void> {
  const { random, index, folder } = round;
  const { restaurant, tokens } = bed;
  const events: TerminalEvent[] = [];
  const kills = random.int(1, 3);
  const scenario = `a terminal killed ${kills} times`;
  const outbox = join(folder, "outbox.sqlite");
  for (let run = 0; run <= kills; run += 1) {
    const isLast = run === kills;
    const name = `t${index}/${run}`;
    const seed = String(random.next());
    const own = { url: restaurant.hubSocketUrl, deviceId: `t${index}`, token: tokens.cashier, outbox };
    const process = startTerminal({ ...own, name, seed, steps: isLast ? 0 : STEPS }, events);
    if (isLast) await withTimeout("the end of a terminal's work", process.ended, 45_000).finally(process.kill);
    else {
      const enough = events.length + random.int(5, 60);
      await withTimeout(
        "work at a terminal",
        process.untilEvent(() => events.length >= enough),
      );
      await pause(random.int(0, 20));
      await process.kill();
    }
  }
  round.addOperations(events.filter(({ kind }) => kind === "stored").length);
  for (const event of events) {
    if (event.kind === "refused") round.report("broken", `${scenario}: refused for good: ${event.description}`);
  }
  if (events.at(-1)?.kind !== "done") round.report("broken", `${scenario}: the last run did not come to its end`);
  await isForwarded(restaurant.hubUrl);
  reportDifferences(round, scenario, [
    ...compareEvents(events, await readHub(restaurant.hubUrl, tokens)),
    ...(await compareBackOffice(restaurant, ledgerOf(events))),
  ]);
}

/** Checks that everything stored in the terminal's outbox was carried out, and nothing more often than requested. */
function compareEvents(events: TerminalEvent[], view: HubView): Difference[] {
  const differences: Difference[] = [];
  const requested = new Map<string, number>();
  for (const each of events) {
    if (each.kind === "requested") requested.set(each.posReference, (requested.get(each.posReference) ?? 0) + 1);
    if (each.kind !== "stored") continue;
    if (!isCarriedOut(each, view.orders.get(each.posReference)))
      differences.push({ kind: "lost", description: `${each.type} of ${each.posReference} was stored`, count: 1 });
  }
  for (const [posReference, most] of requested) {
    const order = view.orders.get(posReference);
    const versions = (order?.version ?? 0) - (order?.snapshot.status === "closed" ? 1 : 0);
    if (versions > most) {
      differences.push({
        kind: "doubled",
        description: `${posReference} has ${versions} versions of ${most}`,
        count: 1,
      });
    }
  }
  return differences;
}

function isCarriedOut({ type, lineId }: Stored, order: StoredOrder | undefined): boolean {
  if (order === undefined) return false;
  const { lines, status } = order.snapshot;
  if (lineId !== null) return lines.some(({ id }) => id === lineId);
  const isPaid = status === "paid" || status === "closed";
  return isPaid || (type === "ORDER_CHECKOUT" && status === "checkout");
}

/** Returns the answers that the terminal's program received before it was killed. */
function ledgerOf(events: TerminalEvent[]): Ledger {
  const acknowledged = events.flatMap((event) => (event.kind === "acknowledged" ? [{ ...event, mark: 0 }] : []));
  return { ...createLedger(), acknowledged };
}

function startTerminal(work: TerminalWork, events: TerminalEvent[]) {
  const child = spawn(process.execPath, [program, JSON.stringify(work)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // A kill may have truncated the last line.
    if (line.endsWith("}")) events.push(JSON.parse(line) as TerminalEvent);
    for (const check of waiting) check();
  });
  return {
    ended,
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
    /** Resolves when the condition holds after an event, or when the program has ended. */
    async untilEvent(condition: () => boolean): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (): void => void (condition() && resolve());
      waiting.add(check);
      await Promise.race([promise, ended]);
      waiting.delete(check);
    },
  };
}

async function flapNetwork(bed: TestBed, round: Round): Promise<void> {
  const { random } = round;
  const wires = await Promise.all(Array.from({ length: CREW }, () => startWire(bed.restaurant.hubSocketUrl)));
  const urlOf = (member: number): string => wires[member]!.url;
  await withCrew(
    bed,
    round,
    { name: "n", size: CREW, urlOf },
    async ({ crew, reconcile }) => {
      for (const wire of wires) cutSometimes(wire, round);
      const working = crew.work(STEPS);
      for (let i = 0; i < 6; i += 1) {
        await pause(random.int(5, 60));
        random.pick(wires).cut();
      }
      round.addOperations(await working);
      for (const wire of wires) {
        wire.fromHub = () => "pass";
        wire.fromTerminal = () => "pass";
      }
      await reconcile("a network that comes and goes");
    },
    () => Promise.all(wires.map((wire) => wire.close())),
  );
}

/** Cuts the connection now and then at a message, in either direction. */
function cutSometimes(wire: Wire, { random }: Round): void {
  wire.fromHub = () => (random.chance(0.02) ? "cut" : "pass");
  wire.fromTerminal = () => (random.chance(0.02) ? "cut" : "pass");
}
