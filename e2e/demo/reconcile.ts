import { isActive } from "@comanda/protocol";
import type { LocalOrder, Terminal } from "@comanda/terminal";
import type { Restaurant } from "../support/restaurant.ts";
import type { Stage } from "./stage.ts";

export interface StubOrder {
  posReference: string;
  status: "draft" | "paid";
  ncf: string | null;
  total: number;
}

export interface AuditEvent {
  type: string;
  posReference: string;
}

/** Compares what the till took with what the back-office has; answers each difference as a sentence. */
export async function reconcile(
  restaurant: Restaurant,
  service: { stage: Stage; terminals: Terminal[]; ledger: ReadonlyMap<string, number> },
): Promise<string[]> {
  const { stage, terminals, ledger } = service;
  await Promise.all(terminals.map((terminal) => terminal.idle()));
  const isForwarded = (terminal: Terminal) =>
    [...ledger.keys()].every((posReference) => terminal.order(posReference)?.snapshot.status === "closed");
  const differences = await stage
    .until("the hub to forward everything", () => terminals.every(isForwarded) || undefined)
    .then(
      () => [],
      () => ["not every paid order was confirmed by the back-office within a minute"],
    );
  const { orders } = await restaurant.stub<{ orders: StubOrder[] }>("/stub/v1/orders");
  const { events } = await restaurant.stub<{ events: AuditEvent[] }>("/stub/v1/audit-events");
  const paid = orders.filter((order) => order.status === "paid");
  printTable(stage, ledger, paid);
  return [...differences, ...compareMoney(ledger, paid, events), ...compareTerminals(terminals, ledger)];
}

/** Every payment is in the back-office exactly once, with its total, and nothing else is. */
export function compareMoney(ledger: ReadonlyMap<string, number>, paid: StubOrder[], events: AuditEvent[]): string[] {
  const differences: string[] = [];
  for (const [posReference, total] of ledger) {
    const found = paid.filter((order) => order.posReference === posReference);
    const finalized = events.filter((event) => event.type === "hub_finalize" && event.posReference === posReference);
    if (found.length !== 1) differences.push(`${posReference} is in the back-office ${found.length} times`);
    if (finalized.length !== 1) differences.push(`${posReference} was finalized ${finalized.length} times`);
    for (const order of found) {
      if (Math.round(order.total * 100) === Math.round(total * 100)) continue;
      differences.push(`${posReference}: the till took ${total}, the back-office has ${order.total}`);
    }
  }
  const unknown = paid.filter((order) => !ledger.has(order.posReference));
  return [...differences, ...unknown.map((order) => `the back-office has ${order.posReference}, which nobody paid`)];
}

function compareTerminals(terminals: Terminal[], ledger: ReadonlyMap<string, number>): string[] {
  const differences: string[] = [];
  const nameAndVersion = ({ posReference, version }: LocalOrder) => `${posReference} ${version}`;
  const states = terminals.map((terminal) => terminal.orders().map(nameAndVersion).toSorted().join("\n"));
  if (new Set(states).size > 1) differences.push("the terminals do not show the same orders");
  for (const terminal of terminals) {
    for (const { refusal, intent } of terminal.conflicts()) {
      differences.push(`${terminal.deviceId} has an unresolved conflict, ${intent.type}: ${refusal.error}`);
    }
    const left = terminal
      .orders()
      .filter((order) => isActive(order.snapshot.status) && !ledger.has(order.posReference));
    for (const order of left) differences.push(`${terminal.deviceId} still shows ${order.posReference} as open`);
  }
  return [...new Set(differences)];
}

function printTable(stage: Stage, ledger: ReadonlyMap<string, number>, paid: StubOrder[]): void {
  stage.say("closing", `the till took ${ledger.size} payments, the back-office has ${paid.length} paid orders`);
  for (const [posReference, total] of ledger) {
    const found = paid.filter((order) => order.posReference === posReference);
    const amounts = found.map((order) => `${order.total.toFixed(2)}${order.ncf === null ? "" : ` (${order.ncf})`}`);
    stage.say(
      "",
      `${posReference.padEnd(24)} ${total.toFixed(2).padStart(9)}  back-office: ${amounts.join(", ") || "-"}`,
    );
  }
  const sum = [...ledger.values()].reduce((cents, total) => cents + Math.round(total * 100), 0) / 100;
  stage.say("", `${"sum".padEnd(24)} ${sum.toFixed(2).padStart(9)}`);
}
