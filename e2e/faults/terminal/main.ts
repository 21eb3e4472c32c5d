// A terminal as a program, which the suite kills. It works on the outbox in the given file and writes a JSON line for
// everything that it requested or stored and for every answer.
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { addLine, openTerminal, TerminalRefusal, type Mutation } from "@comanda/terminal";
import { openSqliteStorage, openWsSocket } from "@comanda/terminal/node";
import { fastTimerWorld } from "../../support/fast-timer-world.ts";
import { lineOf } from "../../support/orders.ts";
import { createRandom } from "../random.ts";
import type { TerminalEvent, TerminalWork } from "./events.ts";

const work = JSON.parse(process.argv[2] ?? "{}") as TerminalWork;
const random = createRandom(work.seed);
const terminal = await openTerminal({
  url: work.url,
  deviceId: work.deviceId,
  token: work.token,
  storage: openSqliteStorage(work.outbox),
  openSocket: openWsSocket,
  world: fastTimerWorld(),
});
// Synchronous, so that a kill cannot lose a reported event.
const report = (event: TerminalEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);
terminal.on("acknowledged", ({ entry, answer }) => {
  if (entry.message !== null) report({ kind: "acknowledged", message: entry.message, answer });
});
terminal.start();

let checks = 0;
let lines = 0;
for (let i = 0; i < work.steps; i += 1) {
  if (random.chance(0.3) || checks === 0) open();
  else change(`${work.name}/${random.int(1, checks)}`);
  await pause(3);
}
for (;;) {
  await terminal.idle();
  if (terminal.outbox().pending === 0 || terminal.conflicts().length > 0) break;
  await pause(20);
}
for (const { intent, refusal } of terminal.conflicts()) {
  report({ kind: "refused", description: `${intent.type}: ${refusal.error}` });
}
report({ kind: "done" });
await terminal.stop();

function open(): void {
  const posReference = `${work.name}/${(checks += 1)}`;
  const line = nextLine();
  const totals = { subtotal: line.total ?? 0, tax: 0, total: line.total ?? 0 };
  request("ORDER_UPSERT", posReference, line.id, () =>
    terminal.openOrder({ posReference, orderType: "takeout", guestCount: 1, lines: [line], totals }),
  );
}

function change(posReference: string): void {
  const order = terminal.order(posReference);
  if (order === undefined) return;
  const { status, totals } = order.snapshot;
  if (status === "checkout") {
    const payments = [{ methodId: 1, amount: totals.total }];
    return request("ORDER_PAY", posReference, null, () => terminal.pay(posReference, { payments }));
  }
  if (random.chance(0.3)) return request("ORDER_CHECKOUT", posReference, null, () => terminal.checkOut(posReference));
  const line = nextLine();
  request("ORDER_UPSERT", posReference, line.id, () =>
    terminal.editOrder(posReference, (content) => addLine(content, line)),
  );
}

function nextLine() {
  return lineOf(`${work.name}-${(lines += 1)}`, 50);
}

function request(type: string, posReference: string, lineId: string | null, act: () => Mutation): void {
  report({ kind: "requested", type, posReference, lineId });
  try {
    void act().stored.then(() => report({ kind: "stored", type, posReference, lineId }));
  } catch (error) {
    // The step was refused by the terminal: a person could not do it on the screen either.
    if (!(error instanceof TerminalRefusal)) throw error;
  }
}
