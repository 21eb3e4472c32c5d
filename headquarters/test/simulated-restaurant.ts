import { randomUUID } from "node:crypto";
import { type ItemState, restaurantClock, type Snapshot, type StoredOrder, type TableState } from "@comanda/protocol";
import { type ChainFact, type ChainPlace, type ChainRemoval, chainPaidAt } from "@comanda/protocol/chain.ts";
import { createSalesReport, seatedSince } from "@comanda/rules";

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Order = { seq: number; order: StoredOrder };
type Removal = { seq: number; removal: ChainRemoval };
type Table = { seq: number; table: TableState };
type Item = { seq: number; item: ItemState };

/** Position of an object's state in the history. The last entry of a key is its newest. */
interface LogEntry {
  seq: number;
  kind: "orders" | "removed" | "tables" | "items";
  key: string | number;
}

/** The history in a restaurant's data file. */
interface History {
  generation: number;
  epoch: string;
  formerEpochs: ChainPlace[];
  seq: number;
  factId: number;
  orders: Map<string, Order>;
  removed: Map<string, Removal>;
  tables: Map<number, Table>;
  items: Map<string, Item>;
  facts: ChainFact[];
  log: LogEntry[];
}

/** Expected totals of a restaurant's evening. */
export interface Expected {
  paid: number;
  paidCents: number;
  refundedCents: number;
  removed: number;
  /** Guests by hour, as in the restaurant's own report. */
  guests: Map<string, number>;
}

const MAX_OPEN = 30;
const clock = restaurantClock("America/Santo_Domingo");

/** A restaurant in memory: checks as a hub stores them, and each change with its `seq`. */
export class SimulatedRestaurant {
  readonly id: string;
  readonly hubId: string;
  history: History;
  /** Lowest `seq` from which all changes are still available. */
  lowWater = 0;
  private readonly random: () => number;
  private now: number;
  private checks = 0;

  constructor(id: string, hubId: string, seed: number, now: number) {
    this.id = id;
    this.hubId = hubId;
    this.random = randomFrom(seed);
    this.now = now;
    this.history = {
      generation: 0,
      epoch: randomUUID(),
      formerEpochs: [],
      seq: 0,
      factId: 0,
      orders: new Map(),
      removed: new Map(),
      tables: new Map(),
      items: new Map(),
      facts: [],
      log: [],
    };
  }

  /** Performs a random action: opens, extends, splits, pays, discards or refunds a check, marks a dish out, closes a shift. */
  step(): void {
    this.now += Math.floor(this.random() * 4_000);
    const open = [...this.history.orders.values()].filter(({ order }) => order.snapshot.status === "sent");
    const chance = this.random();
    if (open.length === 0 || (chance < 0.35 && open.length < MAX_OPEN)) this.open();
    else if (chance < 0.55) this.addLines(this.pick(open).order);
    else if (chance < 0.6) this.split(this.pick(open).order);
    else if (chance < 0.88) this.pay(this.pick(open).order);
    else if (chance < 0.92) this.discard(this.pick(open).order);
    else if (chance < 0.96) this.giveBack();
    else if (chance < 0.98) this.runOut();
    else this.note("shift_closed", { by: "Ana" });
  }

  /** Moves the clock. */
  jump(byMs: number): void {
    this.now += byMs;
  }

  /** Stores a check once more, unchanged, as a new version. */
  touch(posReference: string): void {
    const found = this.history.orders.get(posReference);
    if (found !== undefined) this.store(found.order.snapshot, found.order.version + 1);
  }

  steps(count: number): void {
    for (let n = 0; n < count; n += 1) this.step();
  }

  /** Simulates a kill and a restart on the same data file. */
  crash(): void {
    const { epoch, seq, formerEpochs } = this.history;
    this.history.formerEpochs = [{ epoch, seq }, ...formerEpochs].slice(0, 20);
    this.history.epoch = randomUUID();
  }

  /** Returns a copy of the history. */
  backup(): History {
    return structuredClone(this.history);
  }

  /** Continues from a copy of another hub's history. New checks of the two have different references. */
  continueFrom({ history }: SimulatedRestaurant): void {
    this.history = structuredClone(history);
    this.checks += 10_000;
  }

  /** Restarts from a backup with a new generation. Ids skip those issued since the backup. */
  restore(backup: History, generation = this.history.generation + 1): void {
    this.history = {
      ...structuredClone(backup),
      generation,
      epoch: randomUUID(),
      formerEpochs: [],
      factId: backup.factId + 1_000,
    };
    this.checks += 1_000;
  }

  /** Calculates, from the stored checks, the totals that headquarters must reach. */
  expected(): Expected {
    const paid = [...this.history.orders.values()].filter(({ order }) => order.snapshot.status === "paid");
    const cents = (amount: number): number => Math.round(amount * 100);
    const report = createSalesReport({ taxes: [], hourOf: clock.hourBegan });
    const takings = paid.map(({ order }) => ({ at: chainPaidAt(order) ?? 0, check: order.snapshot }));
    for (const { at, check } of takings.toSorted((one, other) => one.at - other.at)) report.addCheck(at, check);
    return {
      paid: paid.length,
      paidCents: paid.reduce((sum, { order }) => sum + cents(order.snapshot.totals.total), 0),
      refundedCents: paid.reduce(
        (sum, { order }) => sum + (order.snapshot.refunds ?? []).reduce((all, { amount }) => all + cents(amount), 0),
        0,
      ),
      removed: this.history.removed.size,
      guests: new Map(report.read().hours.map(({ from, guests }) => [from, guests])),
    };
  }

  private nextSeq(kind: LogEntry["kind"], key: string | number): number {
    this.history.seq += 1;
    const { seq } = this.history;
    this.history.log.push({ seq, kind, key });
    return seq;
  }

  private pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.random() * list.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }

  private store(snapshot: Snapshot, version: number): void {
    const { posReference, tableId, createdAt } = snapshot;
    const updatedAt = this.time();
    const seq = this.nextSeq("orders", posReference);
    const order: StoredOrder = {
      posReference,
      version,
      tableId,
      terminalId: "t1",
      createdAt: createdAt.slice(0, 19).replace("T", " "),
      updatedAt: updatedAt.slice(0, 19).replace("T", " "),
      snapshot: { ...snapshot, updatedAt },
    };
    this.history.orders.set(posReference, { seq, order });
    if (tableId !== null) {
      const tableSeq = this.nextSeq("tables", tableId);
      const status = snapshot.status === "sent" ? "occupied" : "available";
      const table: TableState = { tableId, status, posReference, updatedAt, lock: null };
      this.history.tables.set(tableId, { seq: tableSeq, table });
    }
  }

  private open(): void {
    this.checks += 1;
    const createdAt = this.time();
    this.store(
      {
        posReference: `${this.id}/${this.checks}`,
        status: "sent",
        orderType: "dine_in",
        tableId: 1 + (this.checks % 40),
        guestCount: 1 + Math.floor(this.random() * 5),
        staffName: this.pick(["Ana", "Luis", "José \u202e🍽"]),
        createdAt,
        updatedAt: createdAt,
        ...this.priced(this.newLines(0)),
      },
      1,
    );
  }

  private newLines(from: number): Snapshot["lines"] {
    return Array.from({ length: 1 + Math.floor(this.random() * 4) }, (_, index) => {
      const product = 1 + Math.floor(this.random() * 30);
      const unitPrice = 50 + product * 7.5;
      const quantity = 1 + Math.floor(this.random() * 3);
      return {
        id: `l${from + index}`,
        productId: String(product),
        name: `Plato <b>${product}</b>`,
        quantity,
        unitPrice,
        total: unitPrice * quantity,
        taxAmount: 0,
        sentQuantity: quantity,
      };
    });
  }

  private priced(lines: Snapshot["lines"]): Pick<Snapshot, "lines" | "totals" | "adjustments"> {
    const subtotal = lines.reduce((sum, { total = 0 }) => sum + total, 0);
    const discount = this.random() < 0.2 ? Math.floor(subtotal * 10) / 100 : 0;
    return {
      lines,
      totals: { subtotal, tax: 0, total: Math.round((subtotal - discount) * 100) / 100 },
      ...(discount > 0 && { adjustments: [{ kind: "discount", amount: -discount, reason: "cortesía" }] }),
    };
  }

  private addLines({ snapshot, version }: StoredOrder): void {
    const lines = [...snapshot.lines, ...this.newLines(snapshot.lines.length)].slice(0, 40);
    this.store({ ...snapshot, ...this.priced(lines) }, version + 1);
  }

  /** Splits a check, often to another table. The new check names all guests; another guest may join. */
  private split({ snapshot, version }: StoredOrder): void {
    const [others, last] = [
      snapshot.lines.slice(0, -1),
      snapshot.lines.slice(-1).map((line) => ({ ...line, id: "l0" })),
    ];
    if (others.length === 0) return;
    this.checks += 1;
    const check = { partyId: snapshot.posReference, ...snapshot };
    this.store({ ...check, ...this.priced(others) }, version + 1);
    const createdAt = this.time();
    const part = { posReference: `${this.id}/${this.checks}`, createdAt, seatedAt: seatedSince(snapshot) };
    const tableId = this.random() < 0.5 ? snapshot.tableId : 1 + (this.checks % 40);
    const guestCount = snapshot.guestCount + Math.floor(this.random() * 2);
    this.store({ ...check, ...part, tableId, guestCount, ...this.priced(last) }, 1);
  }

  private pay({ snapshot, version }: StoredOrder): void {
    const { total } = snapshot.totals;
    const payments = [
      { methodId: 1 + Math.floor(this.random() * 2), amount: total, tip: Math.round(total * 10) / 100 },
    ];
    this.store({ ...snapshot, status: "paid", payments, paidAt: this.time() }, version + 1);
  }

  private discard(order: StoredOrder): void {
    const { posReference, version } = order;
    this.history.orders.delete(posReference);
    const seq = this.nextSeq("removed", posReference);
    const removal = {
      seq,
      posReference,
      version: version + 1,
      reason: "se fueron",
      by: "Ana",
      at: this.time(),
      last: order,
    };
    this.history.removed.set(posReference, { seq, removal });
  }

  private giveBack(): void {
    const paid = [...this.history.orders.values()].filter(
      ({ order: { snapshot } }) => snapshot.status === "paid" && snapshot.refunds === undefined,
    );
    if (paid.length === 0) return;
    const { snapshot, version } = this.pick(paid).order;
    const [line] = snapshot.lines;
    if (line === undefined) return;
    const at = this.time();
    const refund = {
      refundId: randomUUID(),
      state: "made" as const,
      at,
      madeAt: at,
      by: "Ana",
      terminalId: "t1",
      reason: null,
      lines: [{ lineId: line.id, quantity: 1 }],
      amount: Math.min(snapshot.totals.total, line.unitPrice ?? 0),
      refund: [],
    };
    this.store({ ...snapshot, refunds: [refund] }, version + 1);
  }

  private runOut(): void {
    const productId = String(1 + Math.floor(this.random() * 30));
    const seq = this.nextSeq("items", productId);
    const item: ItemState = { productId, state: "out", left: null, until: null, updatedAt: this.time() };
    this.history.items.set(productId, { seq, item });
  }

  /** Records a fact, which has no `seq`. */
  note(kind: string, body: Record<string, unknown>): void {
    this.history.factId += 1;
    this.history.facts.push({ id: this.history.factId, at: this.time(), kind, body });
  }

  private time(): string {
    return new Date(this.now).toISOString();
  }
}
