import { join } from "node:path";
import {
  addLine,
  amountDue,
  changeQuantity,
  contentOf,
  linesOf,
  openTenders,
  TerminalRefusal,
  withLines,
  type Conflict,
  type Mutation,
  type Terminal,
} from "@comanda/terminal";
import { openSqliteStorage } from "@comanda/terminal/node";
import { fastTimerWorld } from "../support/fast-timer-world.ts";
import { freeTable, lineOf } from "../support/orders.ts";
import { online, type Restaurant } from "../support/restaurant.ts";
import { startWire, type Wire } from "../support/wire.ts";
import { createLinesModel, type LinesModel } from "./lines-model.ts";
import { createMoneyModel } from "./money-model.ts";
import type { Step } from "./steps.ts";

/** A hub's answer to a mutation. */
export interface MutationAnswer {
  /** May occur twice with the same answer, if the terminal was killed before it had stored the first one. */
  mutationId: string;
  type: string;
  posReference: string;
  version: number;
}

/** A refusal that a person had to decide on; `payment` is the id of the refused payment. */
export interface Refused {
  reason: string;
  errorCode: string;
  payment: string | null;
  amount: number;
}

export type Evening = Awaited<ReturnType<typeof beginEvening>>;

const LINES_A_TERMINAL = 10;

/** Starts three terminals, each on its own connection, that work through the steps. */
export async function beginEvening(restaurant: Restaurant, name: string) {
  const world = fastTimerWorld();
  const model = createLinesModel();
  const answers: MutationAnswer[] = [];
  const money = createMoneyModel();
  /** The user who took the payment that closed a check, and whether a fiscal number was requested. */
  const paid = new Map<string, { by: string | undefined; receipt: boolean }>();
  const tokens: string[] = [];
  const wires = await Promise.all([0, 1, 2].map(() => startWire(restaurant.hubSocketUrl)));
  const terminals = await Promise.all(wires.map((_, index) => startTerminal(index)));
  const lineCounts = [0, 0, 0];
  const splitBy = new Map<string, number>();
  let splits = 0;
  let isHubUp = true;
  for (const [index, terminal] of terminals.entries()) {
    const empty = { orderType: "dine_in", tableId: freeTable(), guestCount: 1, lines: [] } as const;
    terminal.openOrder({ posReference: `${name}/${index}`, ...empty, lines: [] });
  }
  await settle();

  return { terminals, model, money, answers, paid, perform, finish, close };

  async function startTerminal(index: number): Promise<Terminal> {
    const deviceId = `${name}-${index}`;
    const storage = openSqliteStorage(join(restaurant.folder, `${deviceId}.sqlite`));
    const token = (tokens[index] ??= await restaurant.token("manager"));
    const terminal = await restaurant.terminal(deviceId, { url: wireOf(index).url, storage, world, token });
    terminal.on("acknowledged", ({ entry, answer }) => {
      if (answer.type !== "ORDER_ACK") return;
      const { posReference, version, status } = answer;
      const orders = answer.orders ?? (posReference && version ? [{ posReference, version }] : []);
      for (const each of orders) answers.push({ mutationId: entry.mutationId, type: entry.intent.type, ...each });
      const { intent, actor } = entry;
      if ((intent.type === "ORDER_PAY" || intent.type === "ORDER_TENDER") && status === "paid") {
        paid.set(intent.posReference, { by: actor?.user.name, receipt: intent.fiscal !== undefined });
      }
    });
    terminal.start();
    return terminal;
  }

  async function perform(step: Step): Promise<void> {
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
      case "switch user": {
        const token = await restaurant.token(step.login);
        tokens[step.terminal] = token;
        terminalOf(step.terminal).switchUser(token);
        return;
      }
      case "add":
      case "change":
      case "tender":
      case "return tender":
      case "merge":
      case "take back":
      case "note":
      case "split":
      case "send":
      case "bump":
      case "check out":
      case "reopen":
      case "pay":
      case "discard":
        // The terminal refuses what a person could not do on the screen either.
        try {
          work(step);
        } catch (error) {
          if (!(error instanceof TerminalRefusal)) throw error;
        }
    }
  }

  function work(step: Extract<Step, { terminal: number; order: number } | { kind: "change" | "take back" }>): void {
    const terminal = terminalOf(step.terminal);
    if (step.kind === "change") return changeOwnLine(terminal, step);
    if (step.kind === "take back") return takeOwnLineBack(terminal, step);
    const posReference = `${name}/${step.order}`;
    const shown = terminal.order(posReference);
    if (shown === undefined) return;
    switch (step.kind) {
      case "add": {
        const count = lineCounts[step.terminal] ?? 0;
        if (count >= LINES_A_TERMINAL) return;
        const line = lineOf(`${step.terminal}-${count}`, step.quantity * 10, {
          quantity: step.quantity,
          unitPrice: 10,
          productId: String((count % 2) + 1),
        });
        const added = terminal.editOrder(posReference, (content) => addLine(content, line));
        lineCounts[step.terminal] = count + 1;
        return expectEffects(added, [{ lineId: line.id, orders: { to: posReference }, quantity: step.quantity }]);
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
      case "pay": {
        const amount = amountDue(shown.snapshot);
        if (amount <= 0) return;
        const fiscal = step.receipt ? { fiscal: { type: "B02" } } : {};
        return money.take(posReference, amount, (paymentId) =>
          terminal.pay(posReference, { payments: [{ methodId: 1, amount }], paymentId, ...fiscal }),
        );
      }
      case "tender": {
        const amount = Math.min(step.amount, amountDue(shown.snapshot));
        if (amount <= 0) return;
        return money.take(posReference, amount, (tenderId) =>
          terminal.tender(posReference, { methodId: 1, amount, tenderId }),
        );
      }
      case "return tender": {
        const [tender] = openTenders(shown.snapshot);
        if (tender !== undefined) terminal.voidTender(tender.tenderId, "the guest pays otherwise");
        return;
      }
      case "merge":
        return mergeOwnCheck(terminal, posReference);
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
    // A sent quantity can only be increased. An unchanged quantity is no change:
    // if the change before were refused, this one would have no effect.
    if (order === undefined || line === undefined || step.quantity < (line.sentQuantity ?? 0)) return;
    if (step.quantity === line.quantity) return;
    const { posReference } = order;
    const changed = terminal.editOrder(posReference, (content) => changeQuantity(content, lineId, step.quantity));
    expectEffects(changed, [{ lineId, orders: { from: posReference, to: posReference }, quantity: step.quantity }]);
  }

  /** Moves the terminal's own lines to a new check. */
  function splitOwnLines(terminal: Terminal, posReference: string): void {
    const order = terminal.order(posReference);
    const index = terminals.indexOf(terminal);
    if (order === undefined) return;
    const content = contentOf(order.snapshot);
    const isOwn = ({ id }: { id: string }) => id.startsWith(`${index}-`);
    const own = linesOf(content).filter(isOwn);
    if (own.length === 0) return;
    const remaining = withLines(
      content,
      linesOf(content).filter((line) => !isOwn(line)),
    );
    const moved = withLines({ ...content, adjustments: [] }, own);
    const second = `${name}/split-${(splits += 1)}`;
    splitBy.set(second, index);
    const split = terminal.changeOrders([
      { posReference, content: remaining },
      { posReference: second, content: { ...moved, checkNumber: undefined } },
    ]);
    expectEffects(
      split,
      own.map(({ id, quantity }) => ({ lineId: id, orders: { from: posReference, to: second }, quantity })),
    );
  }

  function takeOwnLineBack(terminal: Terminal, step: Extract<Step, { kind: "take back" }>): void {
    const lineId = `${step.terminal}-${step.line}`;
    const order = terminal.orders().find(({ posReference, snapshot }) => {
      return posReference.startsWith(`${name}/`) && snapshot.lines.some((line) => line.id === lineId);
    });
    if (order === undefined || terminal.takeBackLeftMs(order.posReference, lineId) <= 0) return;
    const { posReference } = order;
    const taken = terminal.takeBack(posReference, [{ lineId, quantity: 0 }]);
    expectEffects(taken, [{ lineId, orders: { from: posReference, to: posReference }, isRemoved: true }]);
  }

  /** Merges a check that this terminal has split off: only this terminal has lines on it. */
  function mergeOwnCheck(terminal: Terminal, into: string): void {
    const index = terminals.indexOf(terminal);
    const own = [...splitBy].filter(([, by]) => by === index).map(([posReference]) => terminal.order(posReference));
    const from = own.find((order) => order !== undefined && order.snapshot.lines.length > 0);
    if (from === undefined) return;
    const merged = terminal.mergeOrders([from.posReference], into);
    expectEffects(
      merged,
      from.snapshot.lines.map(({ id, quantity }) => ({
        lineId: id,
        orders: { from: from.posReference, to: into },
        quantity,
      })),
    );
  }

  function expectEffects(mutation: Mutation, effects: Parameters<LinesModel["expect"]>[1]): void {
    model.expect(mutation.id, effects);
  }

  /** Waits for the answers to all terminals that can reach the hub. */
  async function settle(): Promise<void> {
    if (!isHubUp) return;
    const connected = terminals.filter((_, index) => isConnected(wireOf(index)));
    await Promise.all(connected.map(online));
    await Promise.all(connected.map((terminal) => terminal.idle()));
  }

  /** Restores all connections, waits for all answers and discards the conflicts; returns the refused mutations. */
  async function finish(): Promise<Refused[]> {
    for (const wire of wires) {
      wire.fromTerminal = () => "pass";
      wire.fromHub = () => "pass";
    }
    await perform({ kind: "start hub" });
    const reasons: Refused[] = [];
    for (;;) {
      await settle();
      const refused = terminals.flatMap((terminal) => terminal.conflicts().map((conflict) => ({ terminal, conflict })));
      if (refused.length === 0) return reasons;
      for (const { terminal, conflict } of refused) {
        reasons.push(describeRefused(conflict));
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

function describeRefused({ intent, refusal: { errorCode } }: Conflict): Refused {
  const refused = { reason: `${intent.type} ${errorCode}`, errorCode };
  if (intent.type === "ORDER_PAY") {
    const amount = intent.payments.reduce((sum, payment) => sum + payment.amount, 0);
    return { ...refused, payment: intent.paymentId ?? null, amount };
  }
  if (intent.type === "ORDER_TENDER") return { ...refused, payment: intent.tenderId, amount: intent.amount };
  return { ...refused, payment: null, amount: 0 };
}

function isConnected(wire: Wire): boolean {
  return wire.fromTerminal({ type: "HEARTBEAT" }) === "pass";
}

function loseOne(wire: Wire, types: readonly string[], fate: "drop" | "cut"): void {
  wire.fromHub = (message) => {
    if (!types.includes(message.type)) return "pass";
    wire.fromHub = () => "pass";
    return fate;
  };
}
