import { OrderMutation, type Snapshot, type StoredLine, type StoredOrder } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import fc from "fast-check";
import type { Writer } from "../../orders/writer.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { openPaperHub, type PaperHub } from "./open-paper-hub.ts";
import { addUp } from "./read-slip.ts";

const service = ["open", "add", "send", "split", "merge", "table", "void", "unvoid", "discard"] as const;
const printing = ["route", "removePrinter", "addPrinter", "again", "request", "fault", "kill", "wait"] as const;
export const step = fc.record({
  kind: fc.constantFrom(...service, ...printing, "send" as const, "void" as const, "fault" as const, "fault" as const),
  a: fc.nat(99),
  b: fc.nat(99),
  n: fc.integer({ min: 1, max: 6 }),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

const cashier: Writer = { terminalId: "till", userName: "Caro", role: "cashier" };
const PRINTERS = ["p1", "p2", "p3", "p4"];

/** An evening of one hub: what people at terminals and managers do. */
export class PaperEvening {
  hub: PaperHub;
  protected readonly world: World;
  private names = 0;

  constructor(file: string, world: World) {
    this.world = world;
    this.hub = openPaperHub(file, world);
  }

  private name = (prefix: string): string => `${prefix}${(this.names += 1)}`;

  /** Sets up the printers. The first three print for the stations, the receipts and what no other printer prints. */
  protected setUp(addressOf: (id: string) => string): Promise<void> {
    return this.hub.stores.changes.write((tx) => {
      for (const id of PRINTERS.slice(0, 3)) this.addPrinter(tx, id, addressOf(id));
      const stations = { hot: ["p1"], bar: ["p2"], cold: ["p1"] };
      const routes = { stations, terminals: {}, receipts: "p3", fallback: "p3", paperOnly: Object.keys(stations) };
      this.hub.admin.setRoutes(tx, routes);
    });
  }

  private addPrinter(tx: Parameters<PaperHub["admin"]["add"]>[0], id: string, address: string): void {
    const fallback = this.hub.stores.printers.get("p3") === null ? {} : { fallback: "p3" };
    this.hub.admin.add(tx, { id, name: id, address, width: 80, cutter: true, drawer: false, ...fallback });
  }

  /** Does what may be refused. */
  protected async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const refusal = error instanceof Error && "refusal" in error ? error.refusal : error;
      if (!(refusal instanceof HubError)) throw error;
    }
  }

  private change(message: Record<string, unknown>): Promise<void> {
    const mutation = OrderMutation.parse({ ...message, mutationId: crypto.randomUUID() });
    return this.attempt(() => this.hub.apply(mutation, cashier, { at: null }));
  }

  private write(checks: readonly { order: StoredOrder | null; lines: readonly object[]; place?: object }[]) {
    return this.change({
      type: "ORDER_BATCH",
      orders: checks.map(({ order, lines, place }) => ({
        posReference: order?.posReference ?? this.name("POS/"),
        baseVersion: order?.version ?? 0,
        additionalCheck: true,
        snapshot: { orderType: order?.snapshot.orderType, tableId: order?.snapshot.tableId, ...place, lines },
      })),
    });
  }

  /** Changes checks as a terminal does. */
  protected async serve({ kind, a, b, n }: Step): Promise<unknown> {
    const open = this.hub.orders();
    const order = pick(open, a) ?? null;
    const other = pick(open, b) ?? null;
    const place =
      b % 4 === 0 ? { orderType: "takeout", tableId: null } : { orderType: "dine_in", tableId: (b % 5) + 1 };
    const dish = { id: this.name("d"), productId: (b % 3) + 1, quantity: n, unitPrice: 1 };
    const added = { ...dish, name: dish.id, ...(a % 3 === 0 && { modifiers: [{ name: "m1" }], note: `x${n}` }) };
    if (order === null || kind === "open") return this.write([{ order: null, lines: [added], place }]);
    const lines = linesOf(order);
    const line = pick(lines, b);
    const changed = (next: object) => lines.map((each) => (each === line ? { ...each, ...next } : each));
    const { posReference, version: baseVersion } = order;
    if (kind === "add") return this.write([{ order, lines: [...lines, added] }]);
    if (kind === "send") return this.change({ type: "ORDER_SEND", posReference });
    if (kind === "table") return this.write([{ order, lines, place }]);
    if (kind === "discard") return n === 6 && this.change({ type: "ORDER_DISCARD", posReference, baseVersion });
    if (kind === "merge") {
      if (other === null || other === order) return null;
      return this.write([
        { order: other, lines: [...linesOf(other), ...lines] },
        { order, lines: [] },
      ]);
    }
    if (line === undefined) return null;
    const { quantity } = line;
    if (kind === "void") return this.write([{ order, lines: changed({ voidedQuantity: Math.min(n, quantity) }) }]);
    if (kind === "unvoid") return this.write([{ order, lines: changed({ voidedQuantity: 0 }) }]);
    if (quantity - (line.voidedQuantity ?? 0) < 2) return null;
    const part = { ...line, id: this.name("l"), quantity: 1, voidedQuantity: 0, splitOf: line.id };
    return this.write([
      { order, lines: changed({ quantity: quantity - 1 }) },
      { order: null, lines: [part], place },
    ]);
  }

  /** Changes printers and routes, or prints again, as managers and terminals do. */
  protected manage({ kind, a, b }: Step, addressOf: (id: string) => string): Promise<void> {
    const { admin, stores, documents } = this.hub;
    const id = pick(PRINTERS, a) ?? "p1";
    const ids = stores.printers.list().map((printer) => printer.id);
    return this.attempt(() =>
      stores.changes.write((tx) => {
        if (kind === "addPrinter") this.addPrinter(tx, id, addressOf(id));
        else if (kind === "removePrinter") admin.remove(tx, id);
        else if (kind === "again") stores.spool.again(tx, pick(this.hub.jobs(), a)?.jobId ?? "");
        else if (kind === "request") {
          const posReference = pick(this.hub.orders(), a)?.posReference ?? "";
          const document = b % 2 === 0 ? "bill" : "station";
          documents.requests.print(tx, { posReference, document }, { terminalId: "till", role: "cashier" });
        } else {
          const routes = stores.printers.routes();
          const stations = {
            ...routes.stations,
            [pick(["hot", "bar", "cold"], a) ?? ""]: ids.slice(b % 4, (b % 4) + 2),
          };
          admin.setRoutes(tx, { ...routes, stations, ...(ids.includes("p3") && { receipts: "p3", fallback: "p3" }) });
        }
      }),
    );
  }

  /** What the checks say is to be made, for the tickets that have slips. */
  protected wanted(): Map<string, number> {
    const causes = new Set(this.hub.jobs().map(({ cause }) => cause));
    const orders = new Map(this.hub.orders().map((order) => [order.posReference, order.snapshot]));
    return addUp(
      this.hub.tickets().flatMap((ticket) =>
        ticket.lines.flatMap(({ shares }) =>
          shares.flatMap(({ posReference, lineId, takenBack, quantity, cancelledQuantity }) => {
            const check = orders.get(posReference);
            const line = check?.lines.find(({ id }) => id === lineId);
            if (check === undefined || line === undefined || takenBack === true) return [];
            if (!causes.has(`ticket:${ticket.id}`)) return [];
            const station = (ticket.stationName ?? "").toUpperCase();
            const dishes = [{ quantity: subtract(quantity, cancelledQuantity), words: wordsOf(line) }];
            return [{ kind: "new" as const, station, from: null, to: placeOf(check), dishes }];
          }),
        ),
      ),
    );
  }

  /** Returns the checks of which the tickets hold more or less than their lines say. */
  protected unequalChecks(): string[] {
    const shares = this.hub.tickets().flatMap(({ lines }) => lines.flatMap((line) => line.shares));
    return this.hub.orders().flatMap(({ posReference, snapshot }) =>
      snapshot.lines.flatMap((line) => {
        const own = shares.filter((share) => share.posReference === posReference && share.lineId === line.id);
        const active = own.filter(({ takenBack }) => takenBack !== true);
        const held = sum(active.map(({ quantity, cancelledQuantity }) => subtract(quantity, cancelledQuantity)));
        const sent = subtract(line.sentQuantity ?? 0, line.sentVoidedQuantity ?? 0);
        return held === sent ? [] : [`${posReference} ${line.id}: sent ${sent}, on tickets ${held}`];
      }),
    );
  }
}

function linesOf({ snapshot }: StoredOrder) {
  return snapshot.lines.map(({ total: _total, taxAmount: _tax, ...line }) => line);
}

function placeOf({ orderType, tableId, ticketNumber }: Snapshot): string {
  return orderType === "dine_in" ? `Mesa ${tableId}` : `Para llevar ${ticketNumber}`;
}

function wordsOf(line: StoredLine): string {
  const modifiers = Array.isArray(line["modifiers"]) ? " + m1" : "";
  return `${String(line["name"])}${modifiers}${line.note == null ? "" : ` * ${line.note}`}`;
}
