import { activeQuantity } from "@comanda/rules";
import {
  amount,
  findConflict,
  findLine,
  findMethod,
  findOrder,
  findProduct,
  findTicket,
  wholeNumber,
} from "./arguments.ts";
import type { Command } from "./command.ts";
import { describeItemStates, describeTickets } from "./describe.ts";

/** Kitchen tickets, what has run out, part payments, tables with two checks. */
export const serviceCommands: Record<string, Command> = {
  tickets: {
    usage: "[all]",
    help: "the kitchen tickets that are not over, or all that are known",
    run({ terminal, print }, [which]) {
      print(describeTickets([...terminal.tickets(), ...(which === "all" ? terminal.recentTickets() : [])]));
    },
  },
  seen: {
    usage: "TICKET [STATION]",
    help: "marks a ticket as seen by a station, by its own unless named",
    run({ terminal }, [ticket, station]) {
      const { id, stationId } = findTicket(terminal, ticket);
      return terminal.kitchenSeen(id, station ?? stationId ?? "kitchen");
    },
  },
  ready: {
    usage: "TICKET LINE [QUANTITY]",
    help: "marks a quantity of a ticket's line as ready; less than before recalls it",
    run({ terminal }, [ticket, number, quantity]) {
      const { id, lines } = findTicket(terminal, ticket);
      const line = lines[wholeNumber(number) - 1];
      if (line === undefined) throw new Error(`the ticket has no line ${number}`);
      const prepared = quantity === undefined ? activeQuantity(line) : amount(quantity);
      return terminal.bump({ kitchenTicketId: id }, line.lineId, prepared);
    },
  },
  served: {
    usage: "TICKET",
    help: "marks what is ready of a ticket as served",
    run: ({ terminal }, [ticket]) => terminal.served(findTicket(terminal, ticket).id),
  },
  "86": {
    usage: "[PRODUCT [LEFT | back]]",
    help: "marks a product as out, as limited to a number, or as back; alone lists what is out",
    run({ terminal, menu, print }, [product, left]) {
      if (product === undefined) return print(describeItemStates(terminal.itemStates(), menu?.products ?? []));
      const { id: productId } = findProduct(menu, product).found;
      if (left === "back") return terminal.setItemState({ productId, state: "available" });
      if (left === undefined) return terminal.setItemState({ productId, state: "out" });
      return terminal.setItemState({ productId, state: "limited", left: wholeNumber(left) });
    },
  },
  takeback: {
    usage: "ORDER LINE [QUANTITY]",
    help: "removes a line that the kitchen has not seen, or lowers it",
    run({ terminal }, [order, line, quantity]) {
      const { posReference, lineId } = findLine(terminal, order, line);
      return terminal.takeBack(posReference, [
        { lineId, ...(quantity === undefined ? {} : { quantity: amount(quantity) }) },
      ]);
    },
  },
  merge: {
    usage: "ORDER INTO",
    help: "puts all lines of a check on another",
    run: ({ terminal }, [order, into]) =>
      terminal.mergeOrders([findOrder(terminal, order).posReference], findOrder(terminal, into).posReference),
  },
  move: {
    usage: "ORDER TABLE",
    help: "moves a check to another table",
    run: ({ terminal }, [order, table]) =>
      terminal.moveToTable(findOrder(terminal, order).posReference, wholeNumber(table)),
  },
  tender: {
    usage: "ORDER AMOUNT [METHOD]",
    help: "takes a part payment (cashier or manager); the last one pays the check",
    run({ terminal, menu, print }, [order, paid, method]) {
      const { posReference } = findOrder(terminal, order);
      const { id: methodId, name } = findMethod(menu, method);
      const mutation = terminal.tender(posReference, { methodId, amount: amount(paid) });
      print(`took ${amount(paid).toFixed(2)} (${name}) for ${posReference}`);
      return mutation;
    },
  },
  untender: {
    usage: "TENDER REASON",
    help: "gives a part payment back before its check is paid (its id, see show)",
    run({ terminal }, [text = "", ...reason]) {
      const tenders = terminal.orders().flatMap(({ snapshot }) => snapshot.tenders ?? []);
      const found = tenders.find(({ tenderId, voided }) => text !== "" && tenderId.startsWith(text) && !voided);
      if (found === undefined) throw new Error(`no part payment begins with "${text}"`);
      return terminal.voidTender(found.tenderId, reason.join(" ") || "taken back");
    },
  },
  part: {
    usage: "ID",
    help: "puts a refused payment on its changed check",
    run({ terminal, print }, [id]) {
      const { mutations, collect, giveBack } = terminal.applyAsPart(findConflict(terminal, id));
      print(`to collect ${collect.toFixed(2)}, to give back ${giveBack.toFixed(2)}`);
      return mutations[0];
    },
  },
  giveback: {
    usage: "ID [REASON]",
    help: "says that the money of a refused payment was given back",
    run: ({ terminal }, [id, ...reason]) =>
      terminal.giveBack(findConflict(terminal, id), reason.join(" ") || "given back"),
  },
  join: {
    usage: "ID",
    help: "a table has two checks: puts mine on the one that was there",
    run: ({ terminal }, [id]) => terminal.mergeWithExisting(findConflict(terminal, id)),
  },
  both: {
    usage: "ID",
    help: "a table has two checks, and they stay",
    run: ({ terminal }, [id]) => terminal.keepBoth(findConflict(terminal, id)) ?? undefined,
  },
};
