import { foldText, type KitchenTicket, type PaymentMethod } from "@comanda/protocol";
import type { LocalOrder, Terminal } from "@comanda/terminal";
import type { Menu } from "@comanda/terminal/node";

/** The order that ends with `text`. */
export function findOrder(terminal: Terminal, text = ""): LocalOrder {
  const exact = terminal.order(text);
  if (exact !== undefined) return exact;
  const found = text === "" ? [] : terminal.orders().filter(({ posReference }) => posReference.endsWith(text));
  if (found.length > 1)
    throw new Error(`several orders end with ${text}: ${found.map((each) => each.posReference).join(", ")}`);
  const [order] = found;
  if (order === undefined) throw new Error(text === "" ? "which order?" : `no order ends with ${text}`);
  return order;
}

/** A line by its number in `show`; `sent` is the quantity that the kitchen has. */
export function findLine(
  terminal: Terminal,
  order?: string,
  line?: string,
): { posReference: string; lineId: string; sent: number } {
  const { posReference, snapshot } = findOrder(terminal, order);
  const found = snapshot.lines[wholeNumber(line) - 1];
  if (found === undefined) throw new Error(`${posReference} has no line ${line}`);
  return { posReference, lineId: found.id, sent: found.sentQuantity ?? 0 };
}

/** A kitchen ticket whose id begins with `text`, also one that is over. */
export function findTicket(terminal: Terminal, text = ""): KitchenTicket {
  const known = [...terminal.tickets(), ...terminal.recentTickets()];
  const found = known.find(({ id }) => text !== "" && id.startsWith(text));
  if (found === undefined) throw new Error(`no ticket begins with "${text}"; see tickets`);
  return found;
}

export function findProduct(menu: Menu | null, text: string): { found: Menu["products"][number]; line: Menu["line"] } {
  if (menu === null) throw new Error("there is no menu: the back-office could not be reached");
  const found = menu.products.find(({ id, name }) => String(id) === text || matches(name, text));
  if (found === undefined) throw new Error(`no product is called ${text}`);
  return { found, line: menu.line };
}

/** The first payment method by default. */
export function findMethod(menu: Menu | null, text?: string): PaymentMethod {
  const methods = menu?.paymentMethods ?? [];
  const found = methods.find(({ id, name }) => text === undefined || String(id) === text || matches(name, text));
  if (found !== undefined) return found;
  throw new Error(`payment methods: ${methods.map(({ id, name }) => `${id} ${name}`).join(", ")}`);
}

export function findConflict(terminal: Terminal, text = ""): string {
  const found = terminal.conflicts().find(({ id }) => text !== "" && id.startsWith(text));
  if (found === undefined) throw new Error(`no conflict begins with "${text}"`);
  return found.id;
}

export function matches(name: string, word: string): boolean {
  return word !== "" && foldText(name).includes(foldText(word));
}

export function wholeNumber(text = ""): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`"${text}" is not a whole number above 0`);
  return Number(text);
}

export function amount(text = ""): number {
  const value = Number(text);
  if (text === "" || !Number.isFinite(value) || value < 0) throw new Error(`"${text}" is not an amount`);
  return value;
}
