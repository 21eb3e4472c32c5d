// @module-tag long
import { changeQuantity, TerminalRefusal, type OrderLine, type Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { fastTimerWorld } from "../support/fast-timer-world.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { restaurant, fresh, startTerminal, wireToHub } = useRestaurant({
  HUB_HEARTBEAT_MS: "1000",
  HUB_GRACE_MS: "300",
});

const terminal = fc.nat(2);
const [from, to] = [fc.nat(3), fc.nat(3)];
/** A dish of a check and a quantity of it; both are taken modulo what exists. */
const dish = fc.record({ line: fc.nat(7), quantity: fc.nat(7) });

/** An action of one of three people on the lines of four checks, or a failure of a connection or the hub. */
type Act =
  | { kind: "cut" | "mend"; terminal: number }
  | { kind: "move" | "part"; terminal: number; from: number; to: number; dish: { line: number; quantity: number } }
  | { kind: "merge"; terminal: number; from: number; to: number }
  | { kind: "send"; terminal: number; from: number }
  | { kind: "more" | "less"; terminal: number; from: number; dish: { line: number; quantity: number } }
  | { kind: "kill hub" };

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom("cut", "mend"), terminal }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constantFrom("move", "part"), terminal, from, to, dish }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("merge"), terminal, from, to }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("send"), terminal, from }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom("more", "less"), terminal, from, dish }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: "kill hub" }) },
);
const anyTable = fc.record({
  quantities: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
  acts: fc.array(anyAct, { minLength: 6, maxLength: 20, size: "max" }),
  /** Decisions on the conflicts in turn: true insists, false discards. Later conflicts are discarded. */
  insists: fc.array(fc.boolean(), { maxLength: 5 }),
});

it("whatever three people do to the same dishes, none is lost, charged twice or cooked twice [CLIENT-321] [CLIENT-324] [CLIENT-326]", async () => {
  await fc.assert(
    fc.asyncProperty(anyTable, async ({ quantities, acts, insists }) => {
      const table = await setTable(quantities);
      for (const act of acts) {
        try {
          await table.carryOut(act);
        } catch (error) {
          if (!(error instanceof TerminalRefusal)) throw error;
        }
      }
      await table.decide(insists);
      table.check();
      await table.sendAll();
      table.checkKitchen();
      await table.close();
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 300_000);

async function setTable(quantities: readonly number[]) {
  const wires = await Promise.all([0, 1, 2].map(wireToHub));
  const world = fastTimerWorld();
  const terminals = await Promise.all(wires.map(({ url }) => startTerminal({ url, world })));
  const [first] = terminals;
  if (first === undefined) throw new Error("there are three terminals");
  const checks = Array.from({ length: quantities.length / 2 }, () => fresh("POS/S"));
  /** By product: the original quantity, and how much more and less of it was ordered since. */
  const dishes = new Map<string, { had: number; more: number; less: number }>();
  for (const [index, check] of checks.entries()) {
    const lines = quantities.slice(2 * index, 2 * index + 2).map((quantity): OrderLine => {
      const productId = fresh("dish");
      dishes.set(productId, { had: quantity, more: 0, less: 0 });
      return lineOf(fresh("line"), 10 * quantity, { quantity, unitPrice: 10, productId });
    });
    first.openOrder(newOrder(check, lines));
  }
  await settle();

  return { carryOut, decide, check, sendAll, checkKitchen, close };

  function shared(of: Terminal): unknown[] {
    return checks.flatMap((check) =>
      linesOn(of, check).map(({ id, quantity, total, sentQuantity = 0 }) => [check, id, quantity, total, sentQuantity]),
    );
  }

  async function settle(): Promise<void> {
    for (const wire of wires) wire.fromTerminal = () => "pass";
    // Several rounds: one terminal's answer may unblock another terminal.
    for (const each of [...terminals, ...terminals, ...terminals]) {
      await eventually(() => each.connection().name).toBe("online");
      await each.idle();
    }
    await eventually(() => new Set(terminals.map((each) => each.seq())).size).toBe(1);
  }

  async function carryOut(act: Act): Promise<void> {
    if (act.kind === "kill hub") {
      await restaurant().killHub();
      return restaurant().startHub();
    }
    const [wire, person] = [wires[act.terminal], terminals[act.terminal]];
    if (wire === undefined || person === undefined) return;
    if (act.kind === "mend") wire.fromTerminal = () => "pass";
    if (act.kind === "cut") {
      wire.fromTerminal = () => "cut";
      wire.cut();
    }
    if (!("from" in act)) return;
    const check = checks[act.from] ?? "";
    if (person.order(check) === undefined) return;
    if (act.kind === "send") return void person.sendToKitchen(check);
    const target = "to" in act ? (checks[act.to] ?? "") : "";
    if ("to" in act && (target === check || person.order(target) === undefined)) return;
    if (act.kind === "merge") return void person.mergeOrders([check], target);
    const lines = linesOn(person, check);
    const line = lines[act.dish.line % lines.length];
    if (line === undefined) return;
    if (act.kind === "move") return void person.moveLines(check, target, [{ lineId: line.id }]);
    const some = 1 + (act.dish.quantity % Math.max(1, line.quantity - 1));
    if (act.kind === "part") return void person.moveLines(check, target, [{ lineId: line.id, quantity: some }]);
    if (act.kind === "less" && some >= line.quantity) return;
    const known = dishes.get(String(line.productId));
    if (known !== undefined) known[act.kind] += some;
    const quantity = act.kind === "more" ? line.quantity + some : line.quantity - some;
    person.editOrder(check, (content) => changeQuantity(content, line.id, quantity));
  }

  /** Decides about one conflict after the other. */
  async function decide(insists: readonly boolean[]): Promise<void> {
    const answers = [...insists];
    await settle();
    for (;;) {
      const [person, conflict] =
        terminals.flatMap((each) => each.conflicts().map((found) => [each, found] as const))[0] ?? [];
      if (person === undefined || conflict === undefined) return;
      const mutation = answers.shift() === true ? insisted(person, conflict.id) : null;
      if (mutation === null) await person.discard(conflict.id);
      else await mutation.outcome;
      await settle();
    }
  }

  function check(): void {
    const [one = [], ...others] = terminals.map(shared);
    for (const other of others) expect(other).toEqual(one);
    for (const [productId, { had, more, less }] of dishes) {
      const quantity = quantityOf(productId);
      const fits = quantity >= had - less && quantity <= had + more;
      expect(fits, `${productId}: ${had} and ${more} more, ${less} less, are ${quantity}`).toBe(true);
    }
    const all = terminals.flatMap((each) => checks.flatMap((name) => linesOn(each, name)));
    expect(all.filter(({ quantity, total }) => total !== 10 * quantity)).toEqual([]);
  }

  function quantityOf(productId: string): number {
    const lines = terminals.slice(0, 1).flatMap((each) => checks.flatMap((name) => linesOn(each, name)));
    return lines.filter((line) => line.productId === productId).reduce((sum, { quantity }) => sum + quantity, 0);
  }

  async function sendAll(): Promise<void> {
    for (const name of checks) if (first?.order(name) !== undefined) first.sendToKitchen(name);
    await settle();
  }

  function checkKitchen(): void {
    const cooked = (first?.tickets() ?? []).flatMap(({ lines }) => lines);
    for (const productId of dishes.keys()) {
      const quantity = cooked
        .filter((line) => line.productId === productId)
        .reduce((sum, line) => sum + line.quantity - line.cancelledQuantity, 0);
      expect(quantity, productId).toBe(quantityOf(productId));
    }
  }

  async function close(): Promise<void> {
    for (const name of checks) if (first?.order(name) !== undefined) first.discardOrder(name);
    await settle();
    for (const each of terminals) await each.stop();
  }
}

function linesOn(of: Terminal, check: string): readonly OrderLine[] {
  return of.order(check)?.snapshot.lines ?? [];
}

/** Retries a refused mutation; null if there is nothing to insist on. */
function insisted(person: Terminal, id: string): ReturnType<Terminal["retry"]> | null {
  try {
    return person.retry(id);
  } catch (error) {
    if (error instanceof TerminalRefusal) return null;
    throw error;
  }
}
