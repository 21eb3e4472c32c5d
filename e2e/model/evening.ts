import { join } from "node:path";
import {
  addLine,
  changeQuantity,
  contentOf,
  splitContent,
  TerminalRefusal,
  type Mutation,
  type Terminal,
} from "@comanda/terminal";
import { openSqliteStorage } from "@comanda/terminal/node";
import { hastyWorld } from "../support/hasty-world.ts";
import { freeTable, lineOf } from "../support/orders.ts";
import { online, type Restaurant } from "../support/restaurant.ts";
import { startWire, type Wire } from "../support/wire.ts";
import { createLinesModel, type LinesModel } from "./lines-model.ts";
import type { Step } from "./steps.ts";

/** One answer of the hub to a mutation. */
export interface Answered {
  type: string;
  posReference: string;
  version: number;
}

export type Evening = Awaited<ReturnType<typeof beginEvening>>;

const LINES_A_TERMINAL = 10;

/** Three terminals, each on a line of its own, working through the steps. */
export async function beginEvening(restaurant: Restaurant, name: string) {
  const world = hastyWorld();
  const model = createLinesModel();
  const answered: Answered[] = [];
  const paid = new Map<string, number>();
  const wires = await Promise.all([0, 1, 2].map(() => startWire(restaurant.hubSocketUrl)));
  const terminals = await Promise.all(wires.map((_, index) => startTerminal(index)));
  const lineCounts = [0, 0, 0];
  let splits = 0;
  let isHubUp = true;
  for (const [index, terminal] of terminals.entries()) {
    const empty = { orderType: "dine_in", tableId: freeTable(), guestCount: 1, lines: [] } as const;
    terminal.openOrder({ posReference: `${name}/${index}`, ...empty, lines: [] });
  }
  await settle();

  return { terminals, model, answered, paid, take, finish, close };

  async function startTerminal(index: number): Promise<Terminal> {
    const deviceId = `${name}-${index}`;
    const storage = openSqliteStorage(join(restaurant.folder, `${deviceId}.sqlite`));
    const terminal = await restaurant.terminal(deviceId, { url: wireOf(index).url, storage, world });
    terminal.on("acknowledged", ({ entry, answer }) => {
      const { posReference, version } = answer;
      const orders = answer.orders ?? (posReference && version ? [{ posReference, version }] : []);
      for (const each of orders) answered.push({ type: entry.intent.type, ...each });
      if (entry.intent.type === "ORDER_PAY") {
        paid.set(
          entry.intent.posReference,
          entry.intent.payments.reduce((sum, { amount }) => sum + amount, 0),
        );
      }
    });
    terminal.start();
    return terminal;
  }

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case "kill hub":
        if (isHubUp) await restaurant.killHub();
        isHubUp = false;
        return;
      case "start hub":
        if (!isHubUp) await restaurant.startHub();
        isHubUp = true;
        return;
      case "settle":
        return settle();
      case "cut":
        wireOf(step.terminal).fromTerminal = () => "cut";
        return wireOf(step.terminal).cut();
      case "mend":
        wireOf(step.terminal).fromTerminal = () => "pass";
        return;
      case "lose answer":
        return loseOne(wireOf(step.terminal), ["ORDER_ACK", "ORDER_REJECTED"], "cut");
      case "lose change":
        return loseOne(wireOf(step.terminal), ["ORDER_CHANGED", "ORDER_REMOVED", "TABLE_CHANGED"], "drop");
      case "restart terminal":
        await terminalOf(step.terminal).stop();
        terminals[step.terminal] = await startTerminal(step.terminal);
        return;
      case "add":
      case "change":
      case "note":
      case "split":
      case "send":
      case "bump":
      case "check out":
      case "reopen":
      case "pay":
      case "discard":
        // A person cannot do what the screen does not offer.
        try {
          work(step);
        } catch (error) {
          if (!(error instanceof TerminalRefusal)) throw error;
        }
    }
  }

  function work(step: Extract<Step, { terminal: number; order: number } | { kind: "change" }>): void {
    const terminal = terminalOf(step.terminal);
    if (step.kind === "change") return changeOwnLine(terminal, step);
    const posReference = `${name}/${step.order}`;
    const shown = terminal.order(posReference);
    if (shown === undefined) return;
    switch (step.kind) {
      case "add": {
        const count = lineCounts[step.terminal] ?? 0;
        if (count >= LINES_A_TERMINAL) return;
        const line = lineOf(`${step.terminal}-${count}`, step.quantity * 10, { quantity: step.quantity });
        const added = terminal.editOrder(posReference, (content) => addLine(content, line));
        lineCounts[step.terminal] = count + 1;
        return wish(added, [{ lineId: line.id, orders: { to: posReference }, quantity: step.quantity }]);
      }
      case "note":
        terminal.editOrder(posReference, (content) => ({ ...content, notes: `${step.terminal} ${step.text}` }));
        return;
      case "split":
        return splitOwnLines(terminal, posReference);
      case "send":
        terminal.sendToKitchen(posReference);
        return;
      case "bump": {
        const line = shown.snapshot.lines.find((each) => (each.sentQuantity ?? 0) > 0);
        if (line !== undefined) terminal.bump(posReference, line.id, line.sentQuantity ?? 0);
        return;
      }
      case "check out":
        terminal.checkOut(posReference);
        return;
      case "reopen":
        if (shown.snapshot.status === "checkout") terminal.reopen(posReference);
        return;
      case "pay":
        if (shown.snapshot.status === "paid" || shown.snapshot.status === "closed") return;
        if (shown.snapshot.lines.length === 0) return;
        terminal.pay(posReference, { payments: [{ methodId: 1, amount: shown.snapshot.totals.total }] });
        return;
      case "discard":
        terminal.discardOrder(posReference);
    }
  }

  function changeOwnLine(terminal: Terminal, step: Extract<Step, { kind: "change" }>): void {
    const lineId = `${step.terminal}-${step.line}`;
    const order = terminal.orders().find(({ posReference, snapshot }) => {
      return posReference.startsWith(`${name}/`) && snapshot.lines.some((line) => line.id === lineId);
    });
    const line = order?.snapshot.lines.find((each) => each.id === lineId);
    // What the kitchen has cannot be reduced, only increased.
    // And what it says already is no change: should the one before it be refused, this one asks for nothing.
    if (order === undefined || line === undefined || step.quantity < (line.sentQuantity ?? 0)) return;
    if (step.quantity === line.quantity) return;
    const { posReference } = order;
    const changed = terminal.editOrder(posReference, (content) => changeQuantity(content, lineId, step.quantity));
    wish(changed, [{ lineId, orders: { from: posReference, to: posReference }, quantity: step.quantity }]);
  }

  /** The terminal's own lines go over to a new check. */
  function splitOwnLines(terminal: Terminal, posReference: string): void {
    const order = terminal.order(posReference);
    const index = terminals.indexOf(terminal);
    const own = (order?.snapshot.lines ?? []).filter(({ id }) => id.startsWith(`${index}-`));
    if (order === undefined || own.length === 0) return;
    const { stays, goes } = splitContent(contentOf(order.snapshot), new Set(own.map(({ id }) => id)));
    const second = `${name}/split-${(splits += 1)}`;
    const split = terminal.changeOrders([
      { posReference, content: stays },
      { posReference: second, content: { ...goes, checkNumber: undefined } },
    ]);
    wish(
      split,
      own.map(({ id, quantity }) => ({ lineId: id, orders: { from: posReference, to: second }, quantity })),
    );
  }

  function wish(mutation: Mutation, effects: Parameters<LinesModel["wish"]>[1]): void {
    model.wish(mutation.id, effects);
  }

  /** Those with a line and a hub get their answers. */
  async function settle(): Promise<void> {
    if (!isHubUp) return;
    const reached = terminals.filter((_, index) => isMended(wireOf(index)));
    await Promise.all(reached.map(online));
    await Promise.all(reached.map((terminal) => terminal.idle()));
  }

  /** Restores all connections, waits for all answers, and discards the conflicts; answers their reasons. */
  async function finish(): Promise<string[]> {
    for (const wire of wires) {
      wire.fromTerminal = () => "pass";
      wire.fromHub = () => "pass";
    }
    await take({ kind: "start hub" });
    const reasons: string[] = [];
    for (;;) {
      await settle();
      const refused = terminals.flatMap((terminal) => terminal.conflicts().map((conflict) => ({ terminal, conflict })));
      if (refused.length === 0) return reasons;
      for (const { terminal, conflict } of refused) {
        reasons.push(`${conflict.intent.type} ${conflict.refusal.errorCode}`);
        model.giveUp(conflict.id);
        await terminal.discard(conflict.id);
      }
    }
  }

  async function close(): Promise<void> {
    await Promise.all(terminals.map((terminal) => terminal.stop()));
    await Promise.all(wires.map((wire) => wire.close()));
  }

  function wireOf(index: number): Wire {
    const wire = wires[index];
    if (wire === undefined) throw new Error(`there is no line ${index}`);
    return wire;
  }

  function terminalOf(index: number): Terminal {
    const terminal = terminals[index];
    if (terminal === undefined) throw new Error(`there is no terminal ${index}`);
    return terminal;
  }
}

function isMended(wire: Wire): boolean {
  return wire.fromTerminal({ type: "HEARTBEAT" }) === "pass";
}

function loseOne(wire: Wire, types: readonly string[], fate: "drop" | "cut"): void {
  wire.fromHub = (message) => {
    if (!types.includes(message.type)) return "pass";
    wire.fromHub = () => "pass";
    return fate;
  };
}
