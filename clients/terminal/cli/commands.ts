import { foldText } from "@comanda/protocol";
import { addLine, amountDue, changeQuantity, contentOf, splitContent, type Mutation } from "@comanda/terminal";
import { amount, findConflict, findLine, findMethod, findOrder, findProduct, wholeNumber } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { describeConflict, describeOrder, describeOrders, describeTables } from "./describe.ts";
import { serviceCommands } from "./service-commands.ts";

export const commands: Record<string, Command> = {
  tables: {
    usage: "",
    help: "all tables with their state",
    run: ({ terminal, menu, print }) => print(describeTables(terminal.tables(), menu?.tables ?? [])),
  },
  orders: {
    usage: "[all]",
    help: "the open checks, or all",
    run: ({ terminal, print }, [which]) => print(describeOrders(terminal.orders(), which === "all")),
  },
  menu: {
    usage: "[WORD]",
    help: "products and prices",
    run({ menu, print }, [word = ""]) {
      const found = (menu?.products ?? []).filter(({ name }) => foldText(name).includes(foldText(word)));
      print(
        found
          .map(({ id, name, price }) => `${String(id).padStart(4)}  ${price.toFixed(2).padStart(9)}  ${name}`)
          .join("\n") || "no product has that name",
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
      const mutation = terminal.openOrder({ posReference, ...order, lines: [] });
      print(`opened ${posReference}; its end is enough: ${posReference.slice(-4)}`);
      return mutation;
    },
  },
  show: {
    usage: "ORDER",
    help: "a check with its lines",
    run: ({ terminal, print }, [order]) => print(describeOrder(findOrder(terminal, order))),
  },
  add: {
    usage: "ORDER PRODUCT [QUANTITY]",
    help: "adds a product (its id, or part of its name)",
    run({ terminal, menu, print }, [order, product = "", quantity = "1"]) {
      const { found, line: lineOf } = findProduct(menu, product);
      const { posReference, snapshot } = findOrder(terminal, order);
      const lineId = `${terminal.deviceId}-${Date.now().toString(36)}`.slice(-64);
      const line = lineOf(found, lineId, amount(quantity), snapshot.orderType);
      const mutation = terminal.editOrder(posReference, (content) => addLine(content, line));
      print(`${quantity} ${found.name} on ${posReference}`);
      return mutation;
    },
  },
  quantity: {
    usage: "ORDER LINE QUANTITY",
    help: "changes the quantity of a line (its number in show)",
    run({ terminal }, [order, line, quantity]) {
      const { posReference, lineId } = findLine(terminal, order, line);
      return terminal.editOrder(posReference, (content) => changeQuantity(content, lineId, amount(quantity)));
    },
  },
  void: {
    usage: "ORDER LINE [QUANTITY [REASON]]",
    help: "voids a line that the kitchen has, or a part of it (cashier or manager)",
    run({ terminal }, [order, line, quantity, ...reason]) {
      const { posReference, lineId } = findLine(terminal, order, line);
      return terminal.voidLine(posReference, lineId, {
        ...(quantity === undefined ? {} : { quantity: amount(quantity) }),
        ...(reason.length === 0 ? {} : { reason: reason.join(" ") }),
      });
    },
  },
  note: {
    usage: "ORDER TEXT",
    help: "writes a note on a check",
    run({ terminal }, [order, ...text]) {
      const { posReference } = findOrder(terminal, order);
      return terminal.editOrder(posReference, (content) => ({ ...content, notes: text.join(" ") }));
    },
  },
  split: {
    usage: "ORDER LINE…",
    help: "moves lines to a new check on the same table",
    run({ terminal, print }, [order, ...lines]) {
      const { posReference, snapshot } = findOrder(terminal, order);
      const moved = new Set(lines.map((line) => findLine(terminal, posReference, line).lineId));
      const { stays, goes } = splitContent(contentOf(snapshot), moved);
      const second = `${posReference}-${Date.now().toString(36).slice(-3)}`;
      const changes = [
        { posReference, content: stays },
        { posReference: second, content: { ...goes, checkNumber: undefined } },
      ];
      const mutation = terminal.changeOrders(changes);
      print(`${moved.size} line(s) go to ${second}`);
      return mutation;
    },
  },
  send: {
    usage: "ORDER",
    help: "sends to the kitchen what it does not have yet",
    run: ({ terminal }, [order]) => terminal.sendToKitchen(findOrder(terminal, order).posReference),
  },
  bump: {
    usage: "ORDER LINE [QUANTITY]",
    help: "marks a quantity of a line as ready; less than before recalls it",
    run({ terminal }, [order, line, quantity]) {
      const { posReference, lineId, sent } = findLine(terminal, order, line);
      return terminal.bump(posReference, lineId, quantity === undefined ? sent : amount(quantity));
    },
  },
  checkout: {
    usage: "ORDER",
    help: "locks a check before payment",
    run: ({ terminal }, [order]) => terminal.checkOut(findOrder(terminal, order).posReference),
  },
  reopen: {
    usage: "ORDER",
    help: "unlocks a check that is checked out",
    run: ({ terminal }, [order]) => terminal.reopen(findOrder(terminal, order).posReference),
  },
  pay: {
    usage: "ORDER [METHOD] [AMOUNT]",
    help: "pays a check (cashier or manager); METHOD is an id or part of a name",
    run({ terminal, menu, print }, [order, method, paid]) {
      const { posReference, snapshot } = findOrder(terminal, order);
      const chosen = findMethod(menu, method);
      const total = paid === undefined ? amountDue(snapshot) : amount(paid);
      const mutation = terminal.pay(posReference, { payments: [{ methodId: chosen.id, amount: total }] });
      print(`took ${total.toFixed(2)} (${chosen.name}) for ${posReference}`);
      return mutation;
    },
  },
  discard: {
    usage: "ORDER [REASON]",
    help: "removes a check for good (cashier or manager)",
    run({ terminal }, [order, ...reason]) {
      const { posReference } = findOrder(terminal, order);
      return terminal.discardOrder(posReference, reason.join(" ") || undefined);
    },
  },
  ...serviceCommands,
  lease: {
    usage: "ORDER [takeover]",
    help: "reserves a check for this terminal; a manager can take it over",
    async run({ terminal, print }, [order, takeover]) {
      const { posReference } = findOrder(terminal, order);
      const { expiresAt } = await terminal.acquireLease(posReference, { takeover: takeover === "takeover" });
      print(`${posReference} is yours until ${expiresAt}, renewed while this terminal is connected`);
    },
  },
  release: {
    usage: "ORDER",
    help: "releases a lease",
    run: ({ terminal }, [order]) => terminal.releaseLease(findOrder(terminal, order).posReference),
  },
  lock: {
    usage: "TABLE",
    help: "shows the other terminals that you are busy with a table",
    run: async ({ terminal }, [table]) => void (await terminal.lockTable(wholeNumber(table))),
  },
  unlock: {
    usage: "TABLE",
    help: "removes that lock",
    run: ({ terminal }, [table]) => terminal.unlockTable(wholeNumber(table)),
  },
  reserve: {
    usage: "TABLE",
    help: "marks a free table as reserved",
    run: ({ terminal }, [table]) => terminal.reserveTable(wholeNumber(table)),
  },
  unreserve: {
    usage: "TABLE",
    help: "marks it as free again",
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
    help: "changes that the hub refused; retry or drop them",
    run({ terminal, print }) {
      const conflicts = terminal.conflicts();
      print(conflicts.map(describeConflict).join("\n") || "nothing was refused");
    },
  },
  retry: {
    usage: "ID",
    help: "sends a refused change again, based on what the hub has now",
    run: ({ terminal }, [id]) => terminal.retry(findConflict(terminal, id)),
  },
  drop: {
    usage: "ID",
    help: "discards a refused change",
    run: ({ terminal }, [id]) => terminal.discard(findConflict(terminal, id)),
  },
  status: {
    usage: "",
    help: "connection, sign-in, outbox and hub",
    run({ terminal, print }) {
      const { pending, oldestAt, payments, amount: money, unsaved } = terminal.outbox();
      print(`connection  ${JSON.stringify(terminal.connection())}`);
      print(`signed in   ${JSON.stringify(terminal.signedIn())}`);
      print(`session     ${JSON.stringify(terminal.session())}`);
      print(`hub         ${JSON.stringify(terminal.hubStatus())}`);
      print(`as of       ${terminal.asOf() ?? "never"}`);
      const parts = [
        `${pending} waiting`,
        ...(oldestAt === null ? [] : [`the oldest since ${oldestAt}`]),
        ...(payments === 0 ? [] : [`${payments} payment(s) of ${money.toFixed(2)}`]),
        ...(unsaved === 0 ? [] : [`${unsaved} NOT ON THE DISK`]),
      ];
      print(`outbox      ${parts.join(", ")}`);
    },
  },
  help: { usage: "", help: "this list", run: ({ print }) => print(describeCommands()) },
};

function describeCommands(): string {
  const lines = Object.entries(commands).map(([name, { usage, help }]) => `  ${`${name} ${usage}`.padEnd(34)} ${help}`);
  return [...lines, `  ${"quit".padEnd(34)} ends; what waits in the outbox is sent next time`].join("\n");
}

/** Runs one typed line; prints errors instead of throwing them. */
export async function runLine(context: CommandContext, text: string): Promise<void> {
  const [name = "", ...words] = text.trim().split(/\s+/);
  if (name === "") return;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return context.print(`there is no command ${name}; help lists them`);
  try {
    const mutation = await command.run(context, words);
    if (mutation !== undefined) printFailure(mutation, context.print);
  } catch (error) {
    context.print(error instanceof Error ? error.message : String(error));
    if (words.length === 0 && command.usage !== "") context.print(`usage: ${name} ${command.usage}`);
  }
}

/** What succeeds shows in the order. */
function printFailure(mutation: Mutation, print: (text: string) => void): void {
  mutation.stored.catch((error: unknown) =>
    print(`NOT ON THE DISK: it is sent, but a restart could lose it (${String(error)})`),
  );
  void mutation.outcome.then((outcome) => {
    if (outcome.state === "refused") print(`REFUSED: ${describeConflict(outcome.conflict)}`);
  });
}
