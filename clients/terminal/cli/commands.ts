import {
  addLine,
  changeQuantity,
  contentOf,
  splitContent,
  voidLine,
  type LocalOrder,
  type Mutation,
  type Terminal,
} from "@comanda/terminal";
import type { Menu } from "@comanda/terminal/node";
import { describeConflict, describeOrder, describeOrders, describeTables } from "./describe.ts";

/** What a command works with. `menu` is null where the back-office could not be asked. */
export interface Desk {
  terminal: Terminal;
  menu: Menu | null;
  print(text: string): void;
}

interface Command {
  /** How it is typed, after its name. */
  usage: string;
  help: string;
  run(desk: Desk, words: string[]): void | Promise<void>;
}

export const commands: Record<string, Command> = {
  tables: {
    usage: "",
    help: "every table the hub or the menu knows, with its state",
    run: ({ terminal, menu, print }) => print(describeTables(terminal.tables(), menu?.tables ?? [])),
  },
  orders: {
    usage: "[all]",
    help: "the open checks, or all",
    run: ({ terminal, print }, [which]) => print(describeOrders(terminal.orders(), which === "all")),
  },
  menu: {
    usage: "[WORD]",
    help: "what can be ordered",
    run({ menu, print }, [word = ""]) {
      const found = (menu?.products ?? []).filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
      print(
        found
          .map(({ id, name, price }) => `${String(id).padStart(4)}  ${price.toFixed(2).padStart(9)}  ${name}`)
          .join("\n") || "nothing of that name",
      );
    },
  },
  open: {
    usage: "TABLE [GUESTS]",
    help: "opens a check on a table (its id, see tables)",
    run({ terminal, menu, print }, [table, guests = "1"]) {
      if (menu?.tables.some(({ id }) => id === wholeNumber(table)) === false)
        throw new Error(`there is no table ${table}; see tables`);
      const posReference = `POS/${new Date(terminal.now()).getFullYear()}/${terminal.deviceId}-${Date.now().toString(36)}`;
      const order = { orderType: "dine_in", tableId: wholeNumber(table), guestCount: wholeNumber(guests) } as const;
      report(terminal.openOrder({ posReference, ...order, lines: [] }), print);
      print(`opened ${posReference}; its end is enough to name it: ${posReference.slice(-4)}`);
    },
  },
  show: {
    usage: "ORDER",
    help: "a check with its lines",
    run: ({ terminal, print }, [order]) => print(describeOrder(named(terminal, order))),
  },
  add: {
    usage: "ORDER PRODUCT [QUANTITY]",
    help: "adds a product (its id, or part of its name)",
    run({ terminal, menu, print }, [order, product = "", quantity = "1"]) {
      if (menu === null) throw new Error("there is no menu: the back-office could not be asked");
      const found = menu.products.find(({ id, name }) => String(id) === product || includes(name, product));
      if (found === undefined) throw new Error(`nothing on the menu is called ${product}`);
      const { posReference } = named(terminal, order);
      const line = menu.line(found, `${terminal.deviceId}-${Date.now().toString(36)}`.slice(-64), amount(quantity));
      report(
        terminal.editOrder(posReference, (content) => addLine(content, line)),
        print,
      );
      print(`${quantity} ${found.name} on ${posReference}`);
    },
  },
  quantity: {
    usage: "ORDER LINE QUANTITY",
    help: "changes the quantity of a line (its number in show)",
    run({ terminal, print }, [order, line, quantity]) {
      const { posReference, lineId } = namedLine(terminal, order, line);
      report(
        terminal.editOrder(posReference, (content) => changeQuantity(content, lineId, amount(quantity))),
        print,
      );
    },
  },
  void: {
    usage: "ORDER LINE",
    help: "voids a line that the kitchen has (cashier or manager)",
    run({ terminal, print }, [order, line]) {
      const { posReference, lineId } = namedLine(terminal, order, line);
      report(
        terminal.editOrder(posReference, (content) => voidLine(content, lineId)),
        print,
      );
    },
  },
  note: {
    usage: "ORDER TEXT",
    help: "writes a note on a check",
    run({ terminal, print }, [order, ...text]) {
      const { posReference } = named(terminal, order);
      report(
        terminal.editOrder(posReference, (content) => ({ ...content, notes: text.join(" ") })),
        print,
      );
    },
  },
  split: {
    usage: "ORDER LINE…",
    help: "moves lines to a new check on the same table",
    run({ terminal, print }, [order, ...lines]) {
      const { posReference, snapshot } = named(terminal, order);
      const moved = new Set(lines.map((line) => namedLine(terminal, posReference, line).lineId));
      const { stays, goes } = splitContent(contentOf(snapshot), moved);
      const second = `${posReference}-${Date.now().toString(36).slice(-3)}`;
      const changes = [
        { posReference, content: stays },
        { posReference: second, content: { ...goes, checkNumber: undefined } },
      ];
      report(terminal.changeOrders(changes), print);
      print(`${moved.size} line(s) go to ${second}`);
    },
  },
  send: {
    usage: "ORDER",
    help: "to the kitchen, whatever it does not have yet",
    run: ({ terminal, print }, [order]) => report(terminal.sendToKitchen(named(terminal, order).posReference), print),
  },
  bump: {
    usage: "ORDER LINE [QUANTITY]",
    help: "so much of a line is ready; less than before recalls it",
    run({ terminal, print }, [order, line, quantity]) {
      const { posReference, lineId, sent } = namedLine(terminal, order, line);
      report(terminal.bump(posReference, lineId, quantity === undefined ? sent : amount(quantity)), print);
    },
  },
  checkout: {
    usage: "ORDER",
    help: "closes a check to changes, before money is taken",
    run: ({ terminal, print }, [order]) => report(terminal.checkOut(named(terminal, order).posReference), print),
  },
  reopen: {
    usage: "ORDER",
    help: "opens it to changes again",
    run: ({ terminal, print }, [order]) => report(terminal.reopen(named(terminal, order).posReference), print),
  },
  pay: {
    usage: "ORDER [METHOD] [AMOUNT]",
    help: "takes the money (cashier or manager); METHOD is an id or part of a name",
    run({ terminal, menu, print }, [order, method, paid]) {
      const { posReference, snapshot } = named(terminal, order);
      const methods = menu?.paymentMethods ?? [];
      const chosen = methods.find(
        ({ id, name }) => method === undefined || String(id) === method || includes(name, method),
      );
      if (chosen === undefined)
        throw new Error(`ways to pay: ${methods.map(({ id, name }) => `${id} ${name}`).join(", ")}`);
      const total = paid === undefined ? snapshot.totals.total : amount(paid);
      report(terminal.pay(posReference, { payments: [{ methodId: chosen.id, amount: total }] }), print);
      print(`took ${total.toFixed(2)} (${chosen.name}) for ${posReference}`);
    },
  },
  discard: {
    usage: "ORDER [REASON]",
    help: "removes a check for good (cashier or manager)",
    run({ terminal, print }, [order, ...reason]) {
      const { posReference } = named(terminal, order);
      report(terminal.discardOrder(posReference, reason.join(" ") || undefined), print);
    },
  },
  lease: {
    usage: "ORDER [takeover]",
    help: "keeps others from writing on a check; a manager can take it over",
    async run({ terminal, print }, [order, takeover]) {
      const { posReference } = named(terminal, order);
      const { expiresAt } = await terminal.acquireLease(posReference, { takeover: takeover === "takeover" });
      print(`${posReference} is yours until ${expiresAt}, and on as long as this terminal is there`);
    },
  },
  release: {
    usage: "ORDER",
    help: "gives a lease back",
    run: ({ terminal }, [order]) => terminal.releaseLease(named(terminal, order).posReference),
  },
  lock: {
    usage: "TABLE",
    help: "tells the others that you are busy with a table",
    run: async ({ terminal }, [table]) => void (await terminal.lockTable(wholeNumber(table))),
  },
  unlock: {
    usage: "TABLE",
    help: "and no longer",
    run: ({ terminal }, [table]) => terminal.unlockTable(wholeNumber(table)),
  },
  reserve: {
    usage: "TABLE",
    help: "marks a free table as reserved",
    run: ({ terminal }, [table]) => terminal.reserveTable(wholeNumber(table)),
  },
  unreserve: {
    usage: "TABLE",
    help: "and as free again",
    run: ({ terminal }, [table]) => terminal.unreserveTable(wholeNumber(table)),
  },
  bookings: {
    usage: "",
    help: "the bookings of the reservations plugin",
    run({ terminal, print }) {
      const { bookings, dropped } = terminal.reservations();
      for (const { key, phase, reservation } of bookings) {
        print(`${key}: ${phase}, table ${reservation.tableId}, ${reservation.guestName}, ${reservation.at}`);
      }
      for (const { key, reason } of dropped) print(`${key}: not shown, ${reason}`);
      if (bookings.length + dropped.length === 0) print("no bookings");
    },
  },
  conflicts: {
    usage: "",
    help: "what the hub refused and waits for your word",
    run({ terminal, print }) {
      const conflicts = terminal.conflicts();
      print(conflicts.map(describeConflict).join("\n") || "nothing was refused");
    },
  },
  retry: {
    usage: "ID",
    help: "sends a refused change again on top of what the hub has now",
    run: ({ terminal, print }, [id]) => report(terminal.retry(conflictId(terminal, id)), print),
  },
  drop: {
    usage: "ID",
    help: "gives a refused change up",
    run: ({ terminal }, [id]) => terminal.discard(conflictId(terminal, id)),
  },
  status: {
    usage: "",
    help: "connection, sign-in, outbox and hub",
    run({ terminal, print }) {
      const { pending, oldestAt } = terminal.outbox();
      print(`connection  ${JSON.stringify(terminal.connection())}`);
      print(`signed in   ${JSON.stringify(terminal.signedIn())}`);
      print(`session     ${JSON.stringify(terminal.session())}`);
      print(`hub         ${JSON.stringify(terminal.hubStatus())}`);
      print(`outbox      ${pending} waiting${oldestAt == null ? "" : `, the oldest since ${oldestAt}`}`);
    },
  },
  help: { usage: "", help: "this list", run: ({ print }) => print(describeCommands()) },
};

function describeCommands(): string {
  const lines = Object.entries(commands).map(([name, { usage, help }]) => `  ${`${name} ${usage}`.padEnd(34)} ${help}`);
  return [...lines, `  ${"quit".padEnd(34)} ends; what waits in the outbox goes out next time`].join("\n");
}

/** Runs one typed line; prints what went wrong instead of throwing it. */
export async function runLine(desk: Desk, text: string): Promise<void> {
  const [name = "", ...words] = text.trim().split(/\s+/);
  if (name === "") return;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return desk.print(`there is no command ${name}; help lists them`);
  try {
    await command.run(desk, words);
  } catch (error) {
    desk.print(error instanceof Error ? error.message : String(error));
    if (words.length === 0 && command.usage !== "") desk.print(`usage: ${name} ${command.usage}`);
  }
}

/** Tells only what did not go well: what went well shows in the order. */
function report(mutation: Mutation, print: (text: string) => void): void {
  mutation.stored.catch((error: unknown) => print(`NOT KEPT: it could not be written down (${String(error)})`));
  void mutation.outcome.then((outcome) => {
    if (outcome.state === "refused") print(`REFUSED: ${describeConflict(outcome.conflict)}`);
  });
}

/** The order that ends with `text`. */
function named(terminal: Terminal, text = ""): LocalOrder {
  const exact = terminal.order(text);
  if (exact !== undefined) return exact;
  const found = text === "" ? [] : terminal.orders().filter(({ posReference }) => posReference.endsWith(text));
  if (found.length > 1)
    throw new Error(`several orders end with ${text}: ${found.map((each) => each.posReference).join(", ")}`);
  const [order] = found;
  if (order === undefined) throw new Error(text === "" ? "which order?" : `no order ends with ${text}`);
  return order;
}

/** A line by its number in `show`. */
function namedLine(
  terminal: Terminal,
  order?: string,
  line?: string,
): { posReference: string; lineId: string; sent: number } {
  const { posReference, snapshot } = named(terminal, order);
  const found = snapshot.lines[wholeNumber(line) - 1];
  if (found === undefined) throw new Error(`${posReference} has no line ${line}`);
  return { posReference, lineId: found.id, sent: found.sentQuantity ?? 0 };
}

function conflictId(terminal: Terminal, text = ""): string {
  const found = terminal.conflicts().find(({ id }) => text !== "" && id.startsWith(text));
  if (found === undefined) throw new Error(`nothing that was refused begins with "${text}"`);
  return found.id;
}

function includes(name: string, word: string): boolean {
  return word !== "" && name.toLowerCase().includes(word.toLowerCase());
}

function wholeNumber(text = ""): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`"${text}" is no whole number above 0`);
  return Number(text);
}

function amount(text = ""): number {
  const value = Number(text);
  if (text === "" || !Number.isFinite(value) || value < 0) throw new Error(`"${text}" is no amount`);
  return value;
}
