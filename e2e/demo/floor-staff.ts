import { addLine, type OrderLine, type Terminal } from "@comanda/terminal";
import type { Menu } from "./menu.ts";
import { DEMO_PREFIX } from "./demo-prefix.ts";
import { untilAcknowledged } from "./until-acknowledged.ts";
import type { Stage } from "./stage.ts";

/** A waiter with a tablet. */
export interface Waiter {
  name: string;
  terminal: Terminal;
  seat(table: { id: number; name: string }, guests: number): string;
  order(posReference: string, dishes: readonly number[]): Promise<void>;
  fire(posReference: string): Promise<void>;
  /** Moves every second line to a new check. */
  split(posReference: string): Promise<string>;
  /** Opens another check on a table that already has one. */
  openSecondCheck(table: { id: number; name: string }): string;
  /** Moves all lines of one check to another. */
  merge(from: string, into: string): Promise<void>;
}

export function hireWaiter(name: string, terminal: Terminal, deps: { stage: Stage; menu: Menu }): Waiter {
  const { stage, menu } = deps;
  let orders = 0;
  let lines = 0;
  const nextReference = () => `${DEMO_PREFIX}${terminal.deviceId}-${String((orders += 1)).padStart(3, "0")}`;
  const toLine = (dish: number) => {
    const product = menu.products[dish % menu.products.length];
    if (product === undefined) throw new Error("the back-office has no products");
    return { name: product.name, line: menu.line(product, `${terminal.deviceId}-${(lines += 1)}`) };
  };
  const offlineNote = () => (terminal.connection().name === "online" ? "" : " (no network: kept in the outbox)");
  return {
    name,
    terminal,
    seat(table, guests) {
      const posReference = nextReference();
      terminal.openOrder({ posReference, orderType: "dine_in", tableId: table.id, guestCount: guests, lines: [] });
      stage.log(name, `seats ${guests} at table ${table.name}: ${posReference}${offlineNote()}`);
      return posReference;
    },
    openSecondCheck(table) {
      const posReference = nextReference();
      const order = { posReference, orderType: "dine_in", tableId: table.id, guestCount: 1, lines: [] } as const;
      terminal.openOrder({ ...order, lines: [] }, { additionalCheck: true });
      stage.log(name, `opens a second check at table ${table.name}: ${posReference}${offlineNote()}`);
      return posReference;
    },
    async merge(from, into) {
      await untilAcknowledged(terminal.mergeOrders([from], into));
      stage.log(name, `merges ${from} into ${into}`);
    },
    async order(posReference, dishes) {
      const items = dishes.map(toLine);
      const lease = await tryAcquireLease(terminal, posReference);
      const newLines: OrderLine[] = items.map(({ line }) => line);
      const mutation = terminal.editOrder(posReference, (content) => newLines.reduce(addLine, content));
      stage.log(name, `writes ${items.map((each) => each.name).join(", ")} on ${posReference}${offlineNote()}`);
      await mutation.stored;
      if (lease) await terminal.releaseLease(posReference).catch(() => {});
    },
    async fire(posReference) {
      await terminal.sendToKitchen(posReference).stored;
      stage.log(name, `fires ${posReference}${offlineNote()}`);
    },
    async split(posReference) {
      const order = terminal.order(posReference);
      if (order === undefined) throw new Error(`${posReference} is not on ${name}'s screen`);
      const movedLines = order.snapshot.lines
        .filter((_, index) => index % 2 === 1)
        .map((line) => ({ lineId: line.id }));
      const newReference = nextReference();
      await untilAcknowledged(terminal.moveLines(posReference, newReference, movedLines));
      stage.log(name, `splits ${posReference}: ${movedLines.length} line(s) go to ${newReference}`);
      return newReference;
    },
  };
}

/** Acquires a lease, which keeps other terminals away during a change. Without network the work continues without one. */
async function tryAcquireLease(terminal: Terminal, posReference: string): Promise<boolean> {
  if (terminal.connection().name !== "online") return false;
  return terminal.acquireLease(posReference).then(
    () => true,
    () => false,
  );
}
