import type { HubMessageOf, NoShift, RefundPayment, ShiftReport, StoredOrder } from "@comanda/protocol";
import { planRefund, subtract, sum } from "@comanda/rules";
import fc from "fast-check";
import { expect } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { startKillableHub } from "../support/killable-hub.ts";
import { CARD, CASH, count } from "./till-hub.ts";
import { until } from "../support/until.ts";

/** Actions of an evening. Repeated entries are chosen more often. */
const actions = [
  "pay",
  "pay",
  "pay",
  "payLate",
  "tender",
  "tender",
  "void",
  "settleOpen",
  "move",
  "payTwice",
  "settleKept",
  "applyKept",
  "refund",
  "refund",
  "open",
  "count",
  "countWrong",
  "assign",
  "restart",
] as const;

/** Accepted foreign currencies, in pesos per unit. */
export const rates = { USD: 60, EUR: 68.5 } as const;
type Currency = keyof typeof rates;

type Method = typeof CASH | typeof CARD | Currency;

export interface Step {
  action: (typeof actions)[number];
  /** Index of the till. */
  at: 0 | 1;
  amount: number;
  method: Method;
  tip: number;
  /** Selects among the available checks, payments and so on. */
  pick: number;
  /** Kills the hub this many ms into the step; null for no kill. */
  killedAfter: number | null;
}

export const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...actions),
  at: fc.constantFrom(0, 1),
  amount: fc.integer({ min: 1, max: 500_00 }).map((cents) => cents / 100),
  method: fc.constantFrom<Method[]>(CASH, CASH, CARD, CARD, "USD", "EUR"),
  tip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 99 })),
  pick: fc.nat(),
  killedAfter: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 40 })),
});

/** Returns the whole units of a currency that cover an amount. */
const unitsFor = (pesos: number, currency: Currency): number => Math.ceil(pesos / rates[currency]);

const settling: Step = { action: "settleOpen", at: 0, amount: 1, method: CASH, tip: 0, pick: 0, killedAfter: null };

function payment(amount: number, { method, tip }: Pick<Step, "method" | "tip">) {
  const tipped = tip > 0 ? { tip } : {};
  if (method === CASH || method === CARD) return { methodId: method, amount, ...tipped };
  const foreign = { currency: method, amount: unitsFor(sum([amount, tip]), method), rate: rates[method] };
  return { methodId: CASH, amount, foreign, ...tipped };
}

/** Gives every third check a fiscal number, which a refund requires. */
const fiscalOf = ({ pick }: Pick<Step, "pick">) => (pick % 3 === 0 ? { fiscal: { type: "E32" } } : {});

/** Returns one way to give money back, or two ways for half the amount each. */
function pickRefund([first, second, ...others]: RefundPayment[][], pick: number): RefundPayment[] | undefined {
  const [firstPart, secondPart] = [first?.[0], second?.[0]];
  if (firstPart === undefined || secondPart === undefined || pick % 2 === 0 || firstPart.amount < 1) {
    const choices = [first, second, ...others].flatMap((way) => (way === undefined ? [] : [way]));
    return choices[pick % Math.max(1, choices.length)];
  }
  const half = Math.floor(firstPart.amount / 2);
  return [
    { ...firstPart, amount: half },
    { ...secondPart, amount: subtract(firstPart.amount, half) },
  ];
}

interface OpenCheck {
  ref: string;
  total: number;
  tenders: string[];
  due: number;
}

/** Starts a hub with two tills and the actions at them. All evenings share the hub, and so one POS session. */
export async function startEvenings() {
  const hub = await startKillableHub();
  const { operator, api } = hub;
  await until("the menu is read", async () => (await api("menu")).body.creditNotes);
  await operator("createTill", { body: { id: "bar", name: "Barra", terminals: ["front"] } });
  await operator("createTill", { body: { id: "door", name: "Puerta", terminals: ["back"] } });
  const tills = [
    { id: "bar", terminal: hub.at("front", "cashier") },
    { id: "door", terminal: hub.at("back", "cashier") },
  ] as const;
  const manager = hub.at("office", "manager");
  const shifts: (string | null)[] = [null, null];
  const closed = new Map<string, ShiftReport>();
  const open: OpenCheck[] = [];
  /** Cash moves and number of counts, by shift. */
  const done = new Map<string, { moved: number[]; counts: number }>();
  const refunds: { refundId: string; methodId: string; amount: number }[] = [];
  let paid: string[] = [];
  let checks = 0;

  const report = async (shiftId: string): Promise<ShiftReport> =>
    (await operator("shift", { params: { shiftId } })).body as ShiftReport;
  const noShift = async (): Promise<NoShift> => (await operator("noShift")).body as NoShift;
  const orderOf = async (posReference: string): Promise<StoredOrder> =>
    (await operator("order", { params: { posReference } })).body.order as StoredOrder;

  /** Opens a check of two dishes with this total. */
  async function check(at: 0 | 1, total: number): Promise<string> {
    checks += 1;
    const posReference = `E-${checks}`;
    const mainPrice = subtract(total, 0.01);
    const lines = [
      { id: "a", productId: 101, quantity: 1, unitPrice: mainPrice, total: mainPrice },
      { id: "b", productId: 102, quantity: 1, unitPrice: 0.01, total: 0.01 },
    ];
    const snapshot = terminalSnapshot({ lines });
    await tills[at].terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
    return posReference;
  }

  async function pay(at: 0 | 1, amount: number, options: Pick<Step, "method" | "tip" | "pick">): Promise<void> {
    const posReference = await check(at, amount);
    const pay = {
      type: "ORDER_PAY",
      posReference,
      baseVersion: 1,
      payments: [payment(amount, options)],
      ...fiscalOf(options),
    };
    await tills[at].terminal.change(pay);
    paid.push(posReference);
  }

  const tender = (posReference: string, amount: number, options: Step) => ({
    type: "ORDER_TENDER",
    tenderId: crypto.randomUUID(),
    posReference,
    ...payment(amount, options),
  });

  /** Counts the expected cash in each currency, plus `off` pesos. */
  async function countShift(at: 0 | 1, off: number): Promise<void> {
    const shiftId = shifts[at];
    if (shiftId == null) return;
    const { byMethod } = await report(shiftId);
    const others = byMethod.flatMap(({ currency, expected }) =>
      currency === undefined ? [] : [{ methodId: CASH, currency, amount: Math.max(0, expected) }],
    );
    const cash = sum([Math.max(0, byMethod[0]?.expected ?? 0), off]);
    const counted = [{ methodId: CASH, amount: cash }, ...others];
    const answer = await tills[at].terminal.request(count(shiftId, cash, { counted }));
    const own = done.get(shiftId);
    if (own !== undefined) own.counts = answer.type === "TILL_REJECTED" ? 2 : 1;
    if (answer.type === "TILL_REJECTED") {
      expect(answer.errorCode).toBe("APPROVAL_NEEDED");
      // Money taken after the first count does not change what was expected.
      await pay(at, 7, { method: CASH, tip: 0, pick: 1 });
      expect(await manager.request(count(shiftId, cash, { counted }))).toMatchObject({ type: "TILL_ACK" });
    }
    closed.set(shiftId, await report(shiftId));
    shifts[at] = null;
  }

  /** Refunds one dish or all in one of the possible ways, from a named drawer, the terminal's drawer or none. */
  async function refund({ at, pick }: Step): Promise<void> {
    const found = await Promise.all(paid.slice(-8).map(orderOf));
    const withNumber = found.filter(({ snapshot }) => snapshot.fiscal?.type !== undefined);
    const posReference = withNumber[pick % Math.max(1, withNumber.length)]?.posReference;
    if (posReference === undefined) return;
    const { snapshot } = await until("it is in accounting, with its number", async () => {
      const order = await orderOf(posReference);
      return order.snapshot.status === "closed" && order.snapshot.ncf !== undefined && order;
    });
    const { paymentMethods } = (await api("menu")).body;
    const { lines, isAll, options } = planRefund(snapshot, new Map(pick % 2 === 0 ? [["b", 0]] : []), paymentMethods);
    const way = pickRefund(options, pick);
    if (way === undefined) return;
    const shiftId = [null, ...shifts][pick % 3] ?? undefined;
    const named = shiftId === undefined ? {} : { shiftId };
    const refundId = crypto.randomUUID();
    const body = {
      posReference,
      refundId,
      reason: "frío",
      ...(!isAll && { lines }),
      refund: way.map((each) => ({ ...each, ...named })),
      ...(pick % 4 !== 0 && { deviceKey: await tills[at].terminal.deviceKey() }),
    };
    const answer = await api("refund", { token: await hub.signIn("manager"), body });
    expect(answer).toMatchObject({ status: 200 });
    for (const { methodId, amount } of way) refunds.push({ refundId, methodId: String(methodId), amount });
  }

  const handlers: Record<Step["action"], (step: Step) => Promise<unknown>> = {
    pay: (each) => pay(each.at, each.amount, each),
    async payLate({ at, amount, method, tip, pick }) {
      const posReference = await check(at, amount);
      const queuedAt = new Date(Date.now() - (pick % 3_000)).toISOString();
      const payments = [payment(amount, { method, tip })];
      await tills[at].terminal.change({ type: "ORDER_PAY", posReference, baseVersion: 1, queuedAt, payments });
    },
    async tender(each) {
      const { at, amount } = each;
      const total = sum([amount, 100]);
      const ref = await check(at, total);
      const message = tender(ref, amount, each);
      await tills[at].terminal.change(message);
      open.push({ ref, total, tenders: [message.tenderId], due: 100 });
    },
    async void({ at, pick }) {
      const found = open[pick % Math.max(1, open.length)];
      const tenderId = found?.tenders.pop();
      if (found === undefined || tenderId === undefined) return;
      await tills[at].terminal.change({ type: "ORDER_TENDER_VOID", tenderId, reason: "error" });
      found.due = found.total;
    },
    async settleOpen(each) {
      const found = open.shift();
      if (found === undefined) return;
      await tills[each.at].terminal.change({ ...tender(found.ref, found.due, each), ...fiscalOf(each) });
      paid.push(found.ref);
    },
    async move({ at, amount, pick }) {
      const kind = (["in", "out", "drop"] as const)[pick % 3];
      const move = { type: "TILL_MOVE", shiftId: shifts[at], kind, amount, reason: "x" };
      if (shifts[at] == null) return;
      expect(await tills[at].terminal.request(move)).toMatchObject({ type: "TILL_ACK" });
      done.get(shifts[at])?.moved.push(amount);
    },
    async payTwice({ at, pick, amount, ...options }) {
      const ref = paid[pick % Math.max(1, paid.length)];
      if (ref === undefined) return;
      const again = { type: "ORDER_PAY", posReference: ref, baseVersion: 1, payments: [payment(amount, options)] };
      await expect(tills[at].terminal.change(again)).rejects.toThrow("ORDER_LOCKED");
    },
    settleKept: () => settleAll(),
    async applyKept({ at, amount, ...options }) {
      // Another terminal's lease makes the hub refuse the payment, unless a kill has ended the lease.
      const posReference = await check(at, amount);
      const other = tills[at === 0 ? 1 : 0].terminal;
      const lease = (await other.request({ type: "LEASE_ACQUIRE", posReference })) as HubMessageOf<"LEASE_GRANTED">;
      const pay = { type: "ORDER_PAY", posReference, baseVersion: 1, payments: [payment(sum([amount, 5]), options)] };
      await tills[at].terminal.change(pay).catch((error: Error) => expect(error.message).toContain("LEASE_HELD"));
      await other.request({ type: "LEASE_RELEASE", posReference, leaseId: lease.leaseId });
      const { payments: unapplied } = (await operator("payments", { query: { limit: 200 } })).body;
      const mine = unapplied.find((each: { posReference: string }) => each.posReference === posReference);
      if (mine !== undefined) await operator("applyPayment", { params: { paymentId: mine.paymentId }, body: {} });
      expect((await orderOf(posReference)).snapshot.status).toMatch(/paid|closed/);
    },
    refund,
    async open({ at, amount, pick }) {
      if (shifts[at] != null) return;
      const shiftId = crypto.randomUUID();
      const { id: tillId, terminal } = tills[at];
      const floats = pick % 2 === 0 ? { floats: [{ currency: "USD", amount: pick % 50 }] } : {};
      const opened = await terminal.request({ type: "TILL_OPEN", tillId, shiftId, float: amount, ...floats });
      expect(opened).toMatchObject({ type: "TILL_ACK", shiftId });
      shifts[at] = shiftId;
      done.set(shiftId, { moved: [], counts: 0 });
    },
    count: ({ at, pick }) => countShift(at, (pick % 100) / 100),
    countWrong: ({ at, amount }) => countShift(at, sum([amount, 101])),
    async assign({ pick, at }) {
      const { payments } = await noShift();
      const found = payments[pick % Math.max(1, payments.length)];
      const shiftId = shifts[at] ?? [...closed.keys()].at(-1);
      if (found === undefined || shiftId === undefined) return;
      await operator("assignPayment", { params: { paymentId: found.paymentId }, body: { shiftId } });
    },
    restart: () => hub.end("SIGTERM"),
  };

  async function settleAll(): Promise<void> {
    const { payments } = (await operator("payments", { query: { limit: 200 } })).body;
    for (const { paymentId } of payments) {
      await operator("settlePayment", { params: { paymentId }, body: { note: "devuelto" } });
    }
  }

  return {
    operator,
    backOffice: hub.backOffice,
    report,
    noShift,
    /** Reports of closed shifts at the time of closing. */
    closed: closed as ReadonlyMap<string, ShiftReport>,
    /** Actions of each shift; retries count once. */
    done: done as ReadonlyMap<string, { moved: readonly number[]; counts: number }>,
    /** Refunded amounts, in order. */
    refunds: refunds as readonly Readonly<{ refundId: string; methodId: string; amount: number }>[],

    async do(next: Step): Promise<void> {
      const action = handlers[next.action];
      if (next.killedAfter === null || next.action === "restart") await action(next);
      else await hub.killDuring(next.killedAfter, action(next));
    },

    /** Settles every open check and kept payment. */
    async finish(): Promise<void> {
      while (open.length > 0) await handlers.settleOpen(settling);
      await settleAll();
      paid = [];
    },
  };
}
