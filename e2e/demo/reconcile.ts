import { FiscalStatus, isActive, TicketList, type OperatorTicket } from "@comanda/protocol";
import type { LocalOrder, Terminal } from "@comanda/terminal";
import type { Restaurant } from "../support/restaurant.ts";
import { DEMO_PREFIX } from "./demo-prefix.ts";
import type { EveningPaper } from "./paper.ts";
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

/** A fiscal number as the stand-in lists it. */
export interface StubNumber {
  ncf: string;
  type: string;
  posReference: string;
  state: "reserved" | "used" | "annulled";
}

/** The records of the evening that are compared with the back-office. */
export interface EveningRecords {
  stage: Stage;
  terminals: Terminal[];
  /** Amounts that the till took, by order. */
  ledger: ReadonlyMap<string, number>;
  /** Types of the fiscal numbers that orders were paid with, by order. */
  receipts: ReadonlyMap<string, string>;
  /** The paid check that gets a credit note, once its fiscal number is in accounting. */
  complaint: string;
  paper: Pick<EveningPaper, "compare">;
}

/** Compares money, dishes and fiscal numbers with the back-office's records; returns a sentence for each difference. */
export async function reconcile(restaurant: Restaurant, records: EveningRecords): Promise<string[]> {
  const { stage, terminals, ledger, receipts, complaint, paper } = records;
  await Promise.all(terminals.map((terminal) => terminal.idle()));
  const isForwarded = (terminal: Terminal) =>
    [...ledger.keys()].every((posReference) => terminal.order(posReference)?.snapshot.status === "closed");
  const differences = await stage
    .until("the hub to forward everything", () => terminals.every(isForwarded) || undefined)
    .then(
      () => [],
      () => ["not every paid order was confirmed by the back-office within a minute"],
    );
  const note = await makeCreditNote(restaurant, complaint);
  stage.log("manager", `makes the credit note ${note} for ${complaint}`);
  const { orders } = await restaurant.stub<{ orders: StubOrder[] }>("/stub/v1/orders");
  const { events } = await restaurant.stub<{ events: AuditEvent[] }>("/stub/v1/audit-events");
  const { numbers } = await restaurant.stub<{ numbers: StubNumber[] }>("/stub/v1/ncf");
  const isOwn = ({ posReference }: { posReference: string }) => posReference.startsWith(DEMO_PREFIX);
  const paid = orders.filter((order) => order.status === "paid" && isOwn(order));
  printTable(stage, ledger, paid);
  await printRemainingNumbers(stage, restaurant);
  const ownOrders = (terminals[0]?.orders() ?? []).filter(isOwn);
  const tickets = (await readTickets(restaurant)).filter(isOwn);
  return [
    ...differences,
    ...compareMoney(ledger, paid, events),
    ...compareNumbers(
      new Map([...receipts, [CREDIT_NOTE_PREFIX + complaint, note.slice(0, 3)]]),
      numbers.filter(isOwn),
      paid,
    ),
    ...compareDishes(ownOrders, tickets),
    ...(await paper.compare(tickets, ledger.keys())),
    ...compareTerminals(terminals, ledger),
  ];
}

const CREDIT_NOTE_PREFIX = "credit note of ";

/** Creates a credit note for the check; returns its fiscal number. */
async function makeCreditNote(restaurant: Restaurant, posReference: string): Promise<string> {
  const answer = await fetch(new URL("/terminal/v1/credit-note", restaurant.hubUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${await restaurant.token("manager")}`, "content-type": "application/json" },
    body: JSON.stringify({ posReference }),
  });
  const created = (await answer.json()) as { ncf?: string; error?: string };
  if (created.ncf === undefined)
    throw new Error(`no credit note for ${posReference}: ${created.error ?? answer.status}`);
  return created.ncf;
}

/** Returns the tickets in the kitchen's lists and the last 100 that have left them. */
async function readTickets(restaurant: Restaurant): Promise<OperatorTicket[]> {
  const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
  const lists = ["open", "ready"].map(async (state) => {
    const answer = await fetch(new URL(`/operator/v1/kitchen?state=${state}`, restaurant.hubUrl), { headers });
    return TicketList.parse(await answer.json()).tickets;
  });
  return (await Promise.all(lists)).flat();
}

async function printRemainingNumbers(stage: Stage, restaurant: Restaurant): Promise<void> {
  const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
  const answer = await fetch(new URL("/operator/v1/fiscal", restaurant.hubUrl), { headers });
  const { sequences } = FiscalStatus.parse(await answer.json());
  const remaining = sequences?.map(
    ({ type, left, expiresOn }) => `${type} ${left}${expiresOn === null ? "" : ` until ${expiresOn}`}`,
  );
  stage.log("closing", `fiscal numbers left: ${remaining?.join(", ") ?? "the back-office does not tell"}`);
}

/** Checks that every requested number was used once, by its order, and that no other number was taken. */
export function compareNumbers(
  receipts: ReadonlyMap<string, string>,
  numbers: readonly StubNumber[],
  paid: readonly StubOrder[],
): string[] {
  const differences: string[] = [];
  const isNote = ({ type }: StubNumber) => type === "B04" || type === "E34";
  const nameOf = (number: StubNumber) => (isNote(number) ? CREDIT_NOTE_PREFIX : "") + number.posReference;
  for (const [name, type] of receipts) {
    const matching = numbers.filter((number) => nameOf(number) === name);
    const [number] = matching;
    if (matching.length !== 1) differences.push(`${name} has ${matching.length} fiscal numbers`);
    if (number === undefined) continue;
    if (number.type !== type) differences.push(`${name} has ${number.ncf}, not one of ${type}`);
    if (number.state !== "used") differences.push(`${number.ncf} of ${name} is ${number.state}`);
    const order = paid.find(({ posReference }) => posReference === name);
    if (order !== undefined && order.ncf !== number.ncf) {
      differences.push(`${name} is in the back-office with ${order.ncf ?? "no number"}, and holds ${number.ncf}`);
    }
  }
  const unknown = numbers.filter((number) => !receipts.has(nameOf(number)));
  return [
    ...differences,
    ...unknown.map(({ ncf, posReference }) => `${ncf} was given to ${posReference}, which asked for none`),
  ];
}

/** Checks that every sent dish is on one ticket, whichever check it is on now, and that all dishes are finished. */
export function compareDishes(
  orders: readonly Pick<LocalOrder, "snapshot">[],
  tickets: readonly Pick<OperatorTicket, "posReference" | "lines">[],
): string[] {
  const differences: string[] = [];
  const ticketQuantities = new Map<string, number>();
  for (const { posReference, lines } of tickets) {
    for (const { lineId, name, quantity, cancelledQuantity, preparedQuantity } of lines) {
      ticketQuantities.set(lineId, (ticketQuantities.get(lineId) ?? 0) + quantity);
      const open = quantity - cancelledQuantity - preparedQuantity;
      if (open > 0) differences.push(`${open} ${name} of ${posReference} never came out of the kitchen`);
    }
  }
  const sentQuantities = new Map<string, number>();
  for (const line of orders.flatMap(({ snapshot }) => snapshot.lines)) {
    sentQuantities.set(line.id, (sentQuantities.get(line.id) ?? 0) + (line.sentQuantity ?? 0));
  }
  for (const lineId of new Set([...sentQuantities.keys(), ...ticketQuantities.keys()])) {
    const [onChecks, onTickets] = [sentQuantities.get(lineId) ?? 0, ticketQuantities.get(lineId) ?? 0];
    if (onChecks !== onTickets) differences.push(`${lineId}: ${onChecks} were sent, ${onTickets} are on tickets`);
  }
  return differences;
}

/** Checks that every payment is in the back-office exactly once, with its total, and that there are no others. */
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
    const openOrders = terminal
      .orders()
      .filter((order) => order.posReference.startsWith(DEMO_PREFIX))
      .filter((order) => isActive(order.snapshot.status) && !ledger.has(order.posReference));
    for (const order of openOrders) differences.push(`${terminal.deviceId} still shows ${order.posReference} as open`);
  }
  return [...new Set(differences)];
}

function printTable(stage: Stage, ledger: ReadonlyMap<string, number>, paid: StubOrder[]): void {
  stage.log("closing", `the till took ${ledger.size} payments, the back-office has ${paid.length} paid orders`);
  for (const [posReference, total] of ledger) {
    const found = paid.filter((order) => order.posReference === posReference);
    const amounts = found.map((order) => `${order.total.toFixed(2)}${order.ncf === null ? "" : ` (${order.ncf})`}`);
    stage.log(
      "",
      `${posReference.padEnd(24)} ${total.toFixed(2).padStart(9)}  back-office: ${amounts.join(", ") || "-"}`,
    );
  }
  const sum = [...ledger.values()].reduce((cents, total) => cents + Math.round(total * 100), 0) / 100;
  stage.log("", `${"sum".padEnd(24)} ${sum.toFixed(2).padStart(9)}`);
}
