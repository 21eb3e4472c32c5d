// @module-tag long
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type KitchenTicket, OrderMutation, type Snapshot, type StoredLine, type StoredOrder } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { createOrderCommands } from "../../composition/create-order-commands.ts";
import { createStores } from "../../stores/create-stores.ts";
import { type DataFile, openDataFile } from "../../db/open.ts";
import type { Writer } from "../../orders/writer.ts";
import { HubError } from "../../platform/errors.ts";
import { realWorld, type World } from "../../platform/world.ts";
import { readHubConfig } from "../../settings/config.ts";
import { manualClock } from "../support/manual-clock.ts";

/** Number of walks (override with KITCHEN_WALKS), and maximum steps of each. */
const WALKS = Number(process.env["KITCHEN_WALKS"] ?? 40);
const STEPS = 60;

const TAKE_BACK_MS = 30_000;
const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [], productIds: [2] },
];

const folder = mkdtempSync(path.join(tmpdir(), "kitchen-walk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const nextFile = (): string => path.join(folder, `${(files += 1)}.sqlite`);

function copyFile(from: string, to: string): void {
  for (const suffix of ["", "-wal"]) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
}

/** Opens the hub's write path on a data file, without sockets. */
function openHub(file: string, world: World) {
  const config = readHubConfig({ HUB_DB_PATH: file, HUB_STATIONS: JSON.stringify(stations) });
  const dataFile: DataFile = openDataFile({ file, backupDir: path.join(folder, "backups"), allowEmpty: true, world });
  const stores = createStores(config, () => world, dataFile);
  const commands = createOrderCommands({
    world,
    pos: {
      session: () => ({ active: true }),
      config: () => null,
      formerRate: () => null,
      formerCash: () => [],
      tables: () => null,
      stations: () => config.stations,
      takeBackMs: TAKE_BACK_MS,
      isContingency: () => false,
    },
    stores,
    config: { uncheckedCredit: 0, tillTolerance: 100, timeZone: "America/Santo_Domingo" },
    askCredit: () => null,
  });
  const bodies = dataFile.db.prepare<[], string>("SELECT body FROM tickets ORDER BY id").pluck();
  const references = dataFile.db.prepare<[], string>("SELECT pos_reference FROM orders ORDER BY 1").pluck();
  return {
    file,
    stores,
    apply: commands.applyTerminalChange,
    close: dataFile.close,
    tickets: (): KitchenTicket[] => bodies.all().map((body) => JSON.parse(body) as KitchenTicket),
    orders: (): StoredOrder[] => references.all().flatMap((reference) => stores.orders.get(reference) ?? []),
  };
}

const writers: Writer[] = [
  { terminalId: "one", userName: "Ana", role: "waiter" },
  { terminalId: "two", userName: "Bea", role: "waiter" },
  { terminalId: "till", userName: "Caro", role: "cashier" },
];

const kinds = [
  "add",
  "add",
  "amount",
  "send",
  "send",
  "split",
  "split",
  "splitWithin",
  "join",
  "join",
  "merge",
  "void",
  "unvoid",
  "takeBack",
  "bumpTicket",
  "bumpOrder",
  "seen",
  "served",
  "discard",
  "pay",
  "wait",
  "crash",
  "repeat",
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  writer: fc.nat(2),
  a: fc.nat(99),
  b: fc.nat(99),
  n: fc.integer({ min: 1, max: 6 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const content = ({ lines, orderType }: Snapshot) => ({ orderType, lines });

/** An evening in which several terminals work on one hub that may crash at any moment. */
class Walk {
  readonly clock = manualClock();
  readonly world: World = { ...realWorld(pino({ level: "silent" })), ...this.clock.world };
  hub: ReturnType<typeof openHub>;
  /** Quantity with which each ticket line was sent; never changes. */
  readonly sent = new Map<string, number>();
  names = 0;
  done = 0;
  accepted = 0;
  last: { mutation: OrderMutation; writer: Writer; answer: unknown } | null = null;

  constructor(template: string) {
    const file = nextFile();
    copyFile(template, file);
    this.hub = openHub(file, this.world);
  }

  /** Sends a mutation. Returns whether the hub accepted it, and checks that a refusal changed nothing. */
  async change(message: Record<string, unknown>, writer: Writer): Promise<boolean> {
    const parsed = OrderMutation.safeParse({ ...message, mutationId: crypto.randomUUID() });
    // Invalid: voids more than the line has.
    if (!parsed.success) return false;
    const mutation = parsed.data;
    const before = JSON.stringify([this.hub.tickets(), this.hub.orders()]);
    try {
      const answer = await this.hub.apply(mutation, writer, { at: null });
      this.last = { mutation, writer, answer };
      for (const id of "kitchenTicketIds" in answer ? (answer.kitchenTicketIds ?? []) : []) {
        const ticket = this.hub.stores.tickets.get(id)?.ticket;
        for (const line of ticket?.lines ?? []) this.sent.set(`${id} ${line.lineId}`, line.quantity);
      }
      this.accepted += 1;
      return true;
    } catch (error) {
      const refusal = error instanceof Error && "refusal" in error ? error.refusal : error;
      if (!(refusal instanceof HubError)) throw error;
      expect(JSON.stringify([this.hub.tickets(), this.hub.orders()])).toBe(before);
      return false;
    }
  }

  write(order: StoredOrder | string, lines: readonly Partial<StoredLine>[]) {
    return typeof order === "string"
      ? { posReference: order, baseVersion: 0, snapshot: { orderType: "takeout", lines } }
      : {
          posReference: order.posReference,
          baseVersion: order.version,
          snapshot: { ...content(order.snapshot), lines },
        };
  }

  async perform({ kind, writer: index, a, b, n }: Step): Promise<void> {
    const writer = pick(writers, index) as Writer;
    const till = writers[2] as Writer;
    const all = this.hub.orders();
    const open = all.filter(({ snapshot }) => ["open", "sent", "changed"].includes(snapshot.status));
    const order = pick(open, a);
    const line = order && pick(order.snapshot.lines, b);
    const ticket = pick(this.hub.tickets(), a);
    const name = (): string => `n${(this.names += 1)}`;
    const edit = (target: StoredOrder, lines: readonly Partial<StoredLine>[]) =>
      this.change({ type: "ORDER_UPSERT", ...this.write(target, lines) }, writer);
    const replaced = (from: StoredOrder, next: Partial<StoredLine>) =>
      from.snapshot.lines.map((each) => (each.id === next.id ? next : each));
    switch (kind) {
      case "add": {
        const target = open.length < 4 && b % 2 === 0 ? undefined : order;
        const added = { id: name(), name: name(), productId: (b % 3) + 1, quantity: n, unitPrice: 1 };
        if (target !== undefined) await edit(target, [...target.snapshot.lines, added]);
        else await this.change({ type: "ORDER_UPSERT", ...this.write(`POS/${name()}`, [added]) }, writer);
        return;
      }
      case "amount":
        if (order && line) await edit(order, replaced(order, { ...line, quantity: n, total: undefined }));
        return;
      case "send": {
        const target = pick(all, a);
        if (target) await this.send(target, b % 3 === 0 ? target.snapshot.lines.slice(0, 1) : undefined, writer);
        return;
      }
      case "split": {
        const other =
          open.length > 1 && b % 3 !== 0
            ? pick(
                open.filter((each) => each !== order),
                b,
              )
            : undefined;
        if (order && line) await this.split(order, line, other ?? `POS/${name()}`, n, b % 4, writer);
        return;
      }
      case "splitWithin": {
        if (!order || !line || line.quantity <= n) return;
        const [staying, moved] = this.parts(line, n);
        expect(await edit(order, [...replaced(order, staying), { ...moved, id: name(), splitOf: line.id }])).toBe(true);
        return;
      }
      case "join":
        await this.join(open, a, writer);
        return;
      case "merge": {
        const other = pick(
          open.filter((each) => each !== order),
          b,
        );
        if (!order || !other) return;
        const ids = new Set(other.snapshot.lines.map(({ id }) => id));
        if (order.snapshot.lines.some(({ id }) => ids.has(id))) return;
        const lines = [...other.snapshot.lines, ...order.snapshot.lines];
        const isAccepted = await this.change(
          { type: "ORDER_BATCH", orders: [this.write(other, lines), this.write(order, [])] },
          writer,
        );
        expect(isAccepted).toBe(true);
        return;
      }
      case "void": {
        if (!order || !line) return;
        const isWhole = n > 3;
        const voidedQuantity = Math.min(n, line.quantity);
        await edit(
          order,
          replaced(order, { ...line, total: undefined, ...(isWhole ? { voided: true } : { voidedQuantity }) }),
        );
        return;
      }
      case "unvoid":
        if (order && line) {
          const { voided: _, voidedQuantity: __, total: ___, ...unvoided } = line;
          expect(await edit(order, replaced(order, unvoided))).toBe(true);
        }
        return;
      case "takeBack": {
        const remaining = order?.snapshot.lines.flatMap((each) =>
          each !== line
            ? [each]
            : n > 3
              ? []
              : [{ ...each, quantity: Math.max(0, each.quantity - n), total: undefined }],
        );
        if (order && remaining) await edit(order, remaining);
        return;
      }
      case "bumpTicket": {
        const ticketLine = ticket && pick(ticket.lines, b);
        if (!ticket || !ticketLine) return;
        const message = {
          type: "KITCHEN_BUMP",
          kitchenTicketId: ticket.id,
          lineId: ticketLine.lineId,
          preparedQuantity: n - 1,
        };
        expect(await this.change(message, writer)).toBe(n - 1 <= ticketLine.quantity);
        return;
      }
      case "bumpOrder": {
        const target = pick(all, a);
        const orderLine = target && pick(target.snapshot.lines, b);
        if (!target || !orderLine) return;
        const { posReference } = target;
        const message = { type: "KITCHEN_BUMP", posReference, lineId: orderLine.id, preparedQuantity: n - 1 };
        expect(await this.change(message, writer)).toBe(n - 1 <= (orderLine.sentQuantity ?? -1));
        return;
      }
      case "seen": {
        const message = { type: "KITCHEN_SEEN", kitchenTicketId: ticket?.id, stationId: `s${b % 2}` };
        if (ticket) expect(await this.change(message, writer)).toBe(true);
        return;
      }
      case "served":
        if (ticket)
          expect(await this.change({ type: "KITCHEN_SERVED", kitchenTicketId: ticket.id }, writer)).toBe(true);
        return;
      case "discard": {
        const { posReference, version: baseVersion } = order ?? {};
        if (n > 4 && order) await this.change({ type: "ORDER_DISCARD", posReference, baseVersion }, till);
        return;
      }
      case "pay": {
        if (n <= 3 || !order) return;
        const payments = [{ methodId: 1, amount: order.snapshot.totals.total }];
        const { posReference, version: baseVersion } = order;
        await this.change({ type: "ORDER_PAY", posReference, baseVersion, payments }, till);
        return;
      }
      case "wait":
        this.clock.advance(n * 8_000);
        return;
      case "crash":
        await this.crash(writer, a);
        return;
      case "repeat": {
        if (this.last === null) return;
        const before = JSON.stringify([this.hub.tickets(), this.hub.orders()]);
        const { mutation, writer: by, answer } = this.last;
        const again = await this.hub.apply(mutation, by, { at: null });
        expect(again).toMatchObject({ ...(answer as object), duplicate: true });
        expect(JSON.stringify([this.hub.tickets(), this.hub.orders()])).toBe(before);
      }
    }
  }

  /** Sends lines and checks that the new tickets hold exactly the quantity that the kitchen lacked. */
  async send(order: StoredOrder, some: readonly StoredLine[] | undefined, writer: Writer): Promise<void> {
    const lines = some ?? order.snapshot.lines;
    const lacking = lines.map((line) =>
      Math.max(0, subtract(orderedQuantity(line), this.quantityInKitchen(order.posReference, line.id))),
    );
    const before = this.sent.size === 0 ? 0 : sum([...this.sent.values()]);
    const lineIds = some?.map(({ id }) => id);
    const { posReference } = order;
    const message = {
      type: "ORDER_SEND",
      posReference,
      ...(lineIds !== undefined && lineIds.length > 0 && { lineIds }),
    };
    expect(await this.change(message, writer)).toBe(true);
    expect(sum([...this.sent.values()]) - before).toBe(sum(lacking));
  }

  /** Moves a line, or a part of it, to another check under its own id or as a split. */
  async split(
    order: StoredOrder,
    line: StoredLine,
    other: StoredOrder | string,
    n: number,
    mode: number,
    writer: Writer,
  ): Promise<void> {
    const there = typeof other === "string" ? [] : other.snapshot.lines;
    const hasSameId = there.some(({ id }) => id === line.id);
    const [staying, moved] = this.parts(line, Math.min(n, line.quantity));
    const origin = { splitOf: line.id, ...(mode === 1 || hasSameId ? { splitFrom: order.posReference } : {}) };
    const arrived = hasSameId || mode > 0 ? { ...moved, id: `n${(this.names += 1)}`, ...origin } : moved;
    const remaining = order.snapshot.lines.flatMap((each) =>
      each !== line ? [each] : staying.quantity > 0 ? [staying] : [],
    );
    const orders = [this.write(order, remaining), this.write(other, [...there, arrived])];
    expect(
      await this.change({ type: "ORDER_BATCH", orders: mode % 2 === 0 ? orders : orders.toReversed() }, writer),
    ).toBe(true);
  }

  /** Splits a line in two. Voided quantity stays with the first part as far as it fits. */
  parts(whole: StoredLine, n: number): [StoredLine, StoredLine] {
    const { total: _, taxAmount: __, ...line } = whole;
    const quantity = subtract(line.quantity, n);
    const moved = { ...line, quantity: n };
    const staying = { ...line, quantity };
    if (line.voidedQuantity !== undefined) {
      staying.voidedQuantity = Math.min(quantity, line.voidedQuantity);
      moved.voidedQuantity = subtract(line.voidedQuantity, staying.voidedQuantity);
    }
    return [staying, moved];
  }

  /** Joins two parts of a dish, from the same check or from two. */
  async join(open: readonly StoredOrder[], a: number, writer: Writer): Promise<void> {
    const lines = open.flatMap((order) => order.snapshot.lines.map((line) => ({ order, line })));
    const parts = [...Map.groupBy(lines, ({ line }) => line["name"]).values()].filter((same) => same.length > 1);
    const [first, second] = pick(parts, a) ?? [];
    if (first === undefined || second === undefined || (first.line.voided ?? false) !== (second.line.voided ?? false))
      return;
    const { total: _, taxAmount: __, ...fields } = first.line;
    const joined: StoredLine = { ...fields, quantity: sum([first.line.quantity, second.line.quantity]) };
    const voidedQuantity = sum([first.line.voidedQuantity ?? 0, second.line.voidedQuantity ?? 0]);
    if (voidedQuantity > 0) joined.voidedQuantity = voidedQuantity;
    const without = second.order.snapshot.lines.filter((line) => line !== second.line);
    const target = first.order === second.order ? without : first.order.snapshot.lines;
    const next = target.map((line) => (line === first.line ? joined : line));
    const orders = [
      this.write(first.order, next),
      ...(first.order === second.order ? [] : [this.write(second.order, without)]),
    ];
    expect(await this.change({ type: "ORDER_BATCH", orders }, writer)).toBe(true);
  }

  /** Ends the hub during an unacknowledged change and restarts it on the file left behind. The terminal then retries. */
  async crash(writer: Writer, a: number): Promise<void> {
    const order = pick(this.hub.orders(), a);
    const before = this.hub;
    const file = nextFile();
    const mutation = order && {
      type: "ORDER_SEND" as const,
      mutationId: crypto.randomUUID(),
      posReference: order.posReference,
    };
    const lost = mutation && before.apply(mutation, writer, { at: null }).catch(() => undefined);
    copyFile(before.file, file);
    await lost;
    before.close();
    this.hub = openHub(file, this.world);
    if (order === undefined) return;
    const stored = this.hub.stores.orders.get(order.posReference);
    expect(stored).toEqual(order);
    await this.send(order, undefined, writer);
  }

  shares(posReference: string, lineId: string) {
    return this.hub
      .tickets()
      .flatMap(({ lines }) => lines.flatMap(({ shares }) => shares))
      .filter((share) => share.posReference === posReference && share.lineId === lineId && share.takenBack !== true);
  }

  /** Returns the quantity of a line that the kitchen holds. Voided quantity never counts, cooked or not. */
  quantityInKitchen(posReference: string, lineId: string): number {
    const shares = this.shares(posReference, lineId);
    return sum(
      shares.map(({ quantity, cancelledQuantity, voidedQuantity = cancelledQuantity }) =>
        subtract(quantity, voidedQuantity),
      ),
    );
  }

  check(): void {
    const tickets = this.hub.tickets();
    const orders = new Map(this.hub.orders().map((order) => [order.posReference, order]));
    const lines = tickets.flatMap((ticket) => ticket.lines.map((line) => ({ ticket, line })));
    // No ticket is lost, and each ticket line keeps the quantity with which it was sent.
    expect(new Map(lines.map(({ ticket, line }) => [`${ticket.id} ${line.lineId}`, line.quantity]))).toEqual(this.sent);
    for (const { line } of lines) {
      for (const amount of ["quantity", "preparedQuantity", "cancelledQuantity"] as const) {
        expect(sum(line.shares.map((share) => share[amount]))).toBe(line[amount]);
      }
      for (const share of line.shares) {
        expect(share.quantity).toBeGreaterThan(0);
        expect(Math.min(share.preparedQuantity, share.cancelledQuantity)).toBeGreaterThanOrEqual(0);
        expect(sum([share.preparedQuantity, share.cancelledQuantity])).toBeLessThanOrEqual(share.quantity);
        const holder = orders.get(share.posReference);
        const orderLine = holder?.snapshot.lines.find(({ id }) => id === share.lineId);
        if (share.takenBack === true || holder === undefined) {
          // No check holds this share any more.
          expect(share.cancelledQuantity).toBe(subtract(share.quantity, share.preparedQuantity));
        } else {
          expect(orderLine?.["name"]).toBe(line.name);
        }
      }
    }
    for (const [posReference, { snapshot }] of orders) {
      for (const line of snapshot.lines) {
        const shares = this.shares(posReference, line.id);
        const total = (amount: "quantity" | "preparedQuantity" | "cancelledQuantity") =>
          sum(shares.map((share) => share[amount]));
        expect(line.sentQuantity ?? 0).toBe(total("quantity"));
        expect(line.preparedQuantity ?? 0).toBe(total("preparedQuantity"));
        expect(this.quantityInKitchen(posReference, line.id)).toBeLessThanOrEqual(orderedQuantity(line));
        const holding = tickets.filter((ticket) =>
          ticket.lines.some((each) => each.shares.some((share) => shares.includes(share))),
        );
        expect(holding.map(({ id }) => id).includes(line.kitchenTicketId ?? "")).toBe(holding.length > 0);
      }
    }
  }

  /** Sends everything at the end of the evening and checks that nothing is left to send. */
  async end(): Promise<void> {
    for (const order of this.hub.orders()) {
      await this.send(order, undefined, writers[2] as Writer);
      for (const line of this.hub.stores.orders.get(order.posReference)?.snapshot.lines ?? []) {
        expect(this.quantityInKitchen(order.posReference, line.id)).toBe(orderedQuantity(line));
      }
    }
    this.check();
    this.hub.close();
  }
}

function orderedQuantity({ quantity, voided, voidedQuantity }: StoredLine): number {
  return voided === true ? 0 : subtract(quantity, Math.min(quantity, voidedQuantity ?? 0));
}

/** A dish is voided, cooked nevertheless, and then ordered again. */
const cookedThenVoid: Step[] = [
  { kind: "add", writer: 0, a: 0, b: 0, n: 1 },
  { kind: "send", writer: 0, a: 0, b: 0, n: 1 },
  { kind: "void", writer: 2, a: 0, b: 0, n: 1 },
  { kind: "bumpTicket", writer: 0, a: 0, b: 0, n: 2 },
  { kind: "amount", writer: 0, a: 0, b: 0, n: 2 },
];

it("no dish is lost or repeated by any sequence of terminals' actions and hub crashes [KIT-7]", async () => {
  const template = nextFile();
  openHub(template, realWorld(pino({ level: "silent" }))).close();
  let steps = 0;
  let accepted = 0;
  const used = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: STEPS, size: "max" }), async (walk) => {
      const evening = new Walk(template);
      for (const each of walk) {
        const before = evening.accepted;
        await evening.perform(each);
        evening.check();
        steps += 1;
        if (evening.accepted > before) used.set(each.kind, (used.get(each.kind) ?? 0) + 1);
      }
      await evening.end();
      accepted += evening.accepted;
    }),
    { numRuns: WALKS, examples: [[cookedThenVoid]] },
  );
  const acceptedKinds = [...used].map(([kind, count]) => `${kind} ${count}`).join(", ");
  process.stdout.write(`kitchen walk: ${WALKS} runs, ${steps} steps, ${accepted} changes taken (${acceptedKinds})\n`);
  expect([...used.keys()].sort()).toEqual(expect.arrayContaining(["join", "merge", "split", "takeBack", "void"]));
}, 600_000);
