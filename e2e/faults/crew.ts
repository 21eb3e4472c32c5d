import { setTimeout as pause } from "node:timers/promises";
import { addLine, TerminalRefusal, type Mutation, type Terminal } from "@comanda/terminal";
import { until } from "../../hub/test/support/until.ts";
import { fastTimerWorld } from "../support/fast-timer-world.ts";
import { lineOf } from "../support/orders.ts";
import { online, type Restaurant } from "../support/restaurant.ts";
import type { Ledger } from "./ledger.ts";
import { createRandom, type Random } from "./random.ts";

export type Crew = Awaited<ReturnType<typeof openCrew>>;

/** Ms between two steps: long enough that the hub usually answers in between. */
const STEP_MS = 4;
const SETTLES_WITHIN_MS = 45_000;

/** Opens terminals that work concurrently, each on its own checks; the ledger records what the hub acknowledged to them. */
export async function openCrew(input: {
  restaurant: Restaurant;
  /** Prefix of the references of all checks. */
  name: string;
  size: number;
  random: Random;
  ledger: Ledger;
  urlOf?: (index: number) => string;
}) {
  const { restaurant, name, size, random, ledger, urlOf = () => restaurant.hubSocketUrl } = input;
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index) => {
      // Every round uses the same devices with different keys: the hub accepts only a few new devices per hour.
      const deviceId = `${name.replace(/\d+$/, "")}-${index}`;
      const options = { login: "cashier", url: urlOf(index), world: fastTimerWorld() };
      const terminal = await restaurant.terminal(deviceId, options);
      terminal.on("acknowledged", ({ entry, answer }) => {
        if (entry.message !== null) ledger.acknowledged.push({ message: entry.message, answer, mark: 0 });
      });
      terminal.start();
      return createMember(terminal, {
        name: `${name}/${index}`,
        random: createRandom(`${index}/${random.next()}`),
        ledger,
      });
    }),
  );
  const terminals = members.map(({ terminal }) => terminal);
  const isOnline = async (): Promise<void> => void (await Promise.all(terminals.map(online)));
  return {
    /** Resolves when all terminals are signed in. */
    isOnline,
    /** Lets each terminal make `steps` steps without waiting for the hub. Returns the number of mutations. */
    async work(steps: number): Promise<number> {
      const counts = await Promise.all(
        members.map(async ({ step }) => {
          let mutations = 0;
          for (let i = 0; i < steps; i += 1) {
            if (step() !== null) mutations += 1;
            await pause(STEP_MS);
          }
          return mutations;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    /** Resolves when the hub has answered everything; returns the mutations that it finally refused. */
    async settle(): Promise<string[]> {
      // A conflict counts as answered.
      const isSettled = (): boolean =>
        terminals.every((terminal) => terminal.outbox().pending === 0 || terminal.conflicts().length > 0);
      await isOnline();
      await until("an answer to everything in the outboxes", isSettled, SETTLES_WITHIN_MS).catch((error: Error) => {
        const stuck = terminals.map((terminal) => ({ connection: terminal.connection(), outbox: terminal.outbox() }));
        throw new Error(`${error.message}: ${JSON.stringify(stuck)}`);
      });
      await Promise.all(terminals.map((terminal) => terminal.idle()));
      return terminals.flatMap((terminal) =>
        terminal.conflicts().map(({ intent, refusal }) => `${intent.type}: ${refusal.errorCode}, ${refusal.error}`),
      );
    },
    stop: async () => void (await Promise.all(terminals.map((terminal) => terminal.stop()))),
  };
}

function createMember(terminal: Terminal, input: { name: string; random: Random; ledger: Ledger }) {
  const { name, random, ledger } = input;
  let checks = 0;
  let lines = 0;
  let active: string[] = [];

  function step(): Mutation | null {
    try {
      return random.chance(0.25) || active.length === 0 ? open() : change(random.pick(active));
    } catch (error) {
      // The step was refused by the terminal: a person could not do it on the screen either.
      if (error instanceof TerminalRefusal) return null;
      throw error;
    }
  }

  function open(): Mutation {
    const posReference = `${name}/${(checks += 1)}`;
    active.push(posReference);
    const first = addLine({ orderType: "takeout", guestCount: 1, lines: [] }, nextLine());
    return terminal.openOrder({ posReference, ...first });
  }

  function change(posReference: string): Mutation | null {
    const order = terminal.order(posReference);
    if (order === undefined) return null;
    if (order.snapshot.status === "checkout") {
      active = active.filter((each) => each !== posReference);
      return terminal.pay(posReference, { payments: [{ methodId: 1, amount: order.snapshot.totals.total }] });
    }
    const chance = random.next();
    if (chance < 0.45) {
      const line = nextLine();
      return terminal.editOrder(posReference, (content) => addLine(content, line));
    }
    if (chance < 0.65) return terminal.sendToKitchen(posReference);
    if (chance < 0.92) return terminal.checkOut(posReference);
    active = active.filter((each) => each !== posReference);
    ledger.discarding.add(posReference);
    return terminal.discardOrder(posReference);
  }

  function nextLine() {
    return lineOf(`${name}-${(lines += 1)}`, random.int(1, 9) * 25);
  }

  return { terminal, step };
}
