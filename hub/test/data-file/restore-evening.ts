import type { OperatorTicket, OrderRow, Snapshot, StoredOrder } from "@comanda/protocol";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { type HubCalls, operatorOf } from "../support/operator.ts";

/** Seeded random choices. */
export interface RandomSource {
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

interface Dish {
  id: string;
  productId: number;
  name: string;
  quantity: number;
  unitPrice: number;
  total: number;
  splitOf?: string;
}

const dish = (id: string, quantity: number, more: Partial<Dish> = {}): Dish => ({
  id,
  productId: 101,
  name: `Dish ${id}`,
  unitPrice: 100,
  ...more,
  quantity,
  total: 100 * quantity,
});

/**
 * Creates a simulated service that works on checks at random. Every dish has a unique name, so a test can find it
 * wherever it was moved. `step` performs one action and resolves when the hub has acknowledged it.
 */
export function createService(hub: HubCalls, run: string, random: RandomSource) {
  const checks = new Set<string>();
  let nameCount = 0;
  let acknowledged = 0;

  const freshName = (): string => `${run}-${(nameCount += 1)}`;

  async function orderOf(posReference: string): Promise<StoredOrder> {
    return (await operatorOf(hub)("order", { params: { posReference } })).body.order;
  }

  async function change(till: TestTerminal, message: Record<string, unknown>): Promise<void> {
    await till.change(message);
    acknowledged += 1;
  }

  const content = (lines: readonly unknown[]) => ({ orderType: "takeout", lines });

  /** Picks the fields of a line that a terminal sends. */
  const sentFields = ({ id, productId, name, quantity, unitPrice, total }: Snapshot["lines"][number]) => ({
    id,
    productId,
    name,
    quantity,
    unitPrice,
    total,
  });

  async function open(till: TestTerminal): Promise<void> {
    const posReference = freshName();
    const lines = Array.from({ length: random.int(1, 3) }, () => dish(freshName(), random.int(1, 4)));
    await change(till, { type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: content(lines) });
    checks.add(posReference);
  }

  async function edit(till: TestTerminal, { posReference, version, snapshot }: StoredOrder): Promise<void> {
    const lines = [...snapshot.lines.map(sentFields), dish(freshName(), random.int(1, 2))];
    await change(till, { type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot: content(lines) });
  }

  async function cook(till: TestTerminal, { posReference, snapshot }: StoredOrder): Promise<void> {
    const line = snapshot.lines.find(({ sentQuantity = 0, preparedQuantity = 0 }) => sentQuantity > preparedQuantity);
    if (line === undefined) return;
    const preparedQuantity = random.int((line.preparedQuantity ?? 0) + 1, line.sentQuantity ?? 0);
    await change(till, { type: "KITCHEN_BUMP", posReference, lineId: line.id, preparedQuantity });
  }

  async function split(till: TestTerminal, order: StoredOrder): Promise<void> {
    const line = order.snapshot.lines.find(({ quantity }) => quantity > 1);
    if (line === undefined || (order.snapshot.tenders ?? []).length > 0) return;
    const other = freshName();
    const remaining = order.snapshot.lines.map((each) =>
      each.id === line.id ? dish(line.id, line.quantity - 1, { name: String(line["name"]) }) : sentFields(each),
    );
    const part = dish(freshName(), 1, { name: String(line["name"]), splitOf: line.id });
    await change(till, {
      type: "ORDER_BATCH",
      orders: [
        { posReference: order.posReference, baseVersion: order.version, snapshot: content(remaining) },
        { posReference: other, baseVersion: 0, snapshot: content([part]) },
      ],
    });
    checks.add(other);
  }

  async function merge(till: TestTerminal, order: StoredOrder): Promise<void> {
    const other = random.pick([...checks].filter((each) => each !== order.posReference));
    if (other === undefined) return;
    const target = await orderOf(other);
    if (isLocked(target) || isLocked(order)) return;
    const lines = [...target.snapshot.lines, ...order.snapshot.lines].map(sentFields);
    await change(till, {
      type: "ORDER_BATCH",
      orders: [
        { posReference: order.posReference, baseVersion: order.version, snapshot: content([]) },
        { posReference: other, baseVersion: target.version, snapshot: content(lines) },
      ],
    });
    checks.delete(order.posReference);
  }

  async function pay(till: TestTerminal, { posReference, version, snapshot }: StoredOrder): Promise<void> {
    const paid = (snapshot.tenders ?? []).reduce((sum, tender) => sum + tender.amount, 0);
    const payments = [{ methodId: 1, amount: snapshot.totals.total - paid }];
    const payment = { type: "ORDER_PAY", paymentId: crypto.randomUUID(), posReference, baseVersion: version, payments };
    await change(till, payment);
  }

  async function discard(till: TestTerminal, order: StoredOrder): Promise<void> {
    if (isLocked(order)) return;
    const { posReference, version } = order;
    await change(till, { type: "ORDER_DISCARD", posReference, baseVersion: version });
    checks.delete(posReference);
  }

  const tender = (till: TestTerminal, { posReference, snapshot }: StoredOrder): Promise<void> => {
    const half = Math.floor(snapshot.totals.total / 200) * 100;
    if (half === 0 || (snapshot.tenders ?? []).length > 0) return Promise.resolve();
    const money = { tenderId: crypto.randomUUID(), posReference, methodId: 1, amount: half };
    return change(till, { type: "ORDER_TENDER", ...money });
  };

  const isLocked = ({ snapshot }: StoredOrder): boolean =>
    ["paid", "closed", "checkout"].includes(snapshot.status) || (snapshot.tenders ?? []).length > 0;

  return {
    acknowledged: (): number => acknowledged,
    async step(till: TestTerminal): Promise<void> {
      if (checks.size < 3 || random.chance(0.2)) return open(till);
      const order = await orderOf(random.pick([...checks]));
      const { status } = order.snapshot;
      const action = random.pick([
        "send",
        "send",
        "cook",
        "cook",
        "edit",
        "split",
        "merge",
        "tender",
        "pay",
        "discard",
      ] as const);
      if (action === "cook") return cook(till, order);
      if (action === "send") return change(till, { type: "ORDER_SEND", posReference: order.posReference });
      if (status === "paid" || status === "closed") return;
      if (action === "tender") return tender(till, order);
      if (action === "pay") return pay(till, order);
      if (action === "edit") return edit(till, order);
      if (action === "discard") return discard(till, order);
      return action === "split" ? split(till, order) : merge(till, order);
    },
  };
}

export type EveningLedger = Awaited<ReturnType<typeof ledgerOf>>;

/** Lists every dish and peso of a hub by name. Must be the same before a restore and after the recovery. */
export async function ledgerOf(hub: HubCalls) {
  const call = operatorOf(hub);
  const rows: OrderRow[] = (await call("orders", { query: { status: "all", limit: 200 } })).body.orders;
  const orders = await Promise.all(
    rows
      .filter(({ removed }) => !removed)
      .map(async ({ posReference }): Promise<StoredOrder> => {
        return (await call("order", { params: { posReference } })).body.order;
      }),
  );
  const tickets: OperatorTicket[] = (await call("kitchen")).body.tickets;
  const payments: { posReference: string }[] = (await call("payments")).body.payments;
  const checks = Object.fromEntries(
    orders.map(({ posReference, snapshot }) => [
      posReference,
      {
        isPaid: snapshot.status === "paid" || snapshot.status === "closed",
        total: snapshot.totals.total,
        paid: [...(snapshot.payments ?? []), ...(snapshot.payments === undefined ? (snapshot.tenders ?? []) : [])]
          .map(({ amount }) => amount)
          .toSorted((a, b) => a - b),
        lines: Object.fromEntries(
          snapshot.lines.map((line) => [
            line.id,
            [line["name"], line.quantity, line.sentQuantity ?? 0, line.preparedQuantity ?? 0],
          ]),
        ),
      },
    ]),
  );
  const toCook: Record<string, number> = {};
  for (const { name, quantity, cancelledQuantity, preparedQuantity } of tickets.flatMap(({ lines }) => lines)) {
    const remaining = quantity - cancelledQuantity - preparedQuantity;
    if (remaining > 0) toCook[name] = (toCook[name] ?? 0) + remaining;
  }
  const { paidOrders, paidAmount } = (await call("closing")).body.totals;
  return {
    checks,
    toCook,
    takings: { paidOrders, paidAmount },
    unapplied: payments.map(({ posReference }) => posReference),
  };
}
