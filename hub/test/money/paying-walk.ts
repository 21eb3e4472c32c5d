import { splitAmount, subtract, sum } from "@comanda/rules";
import { expect } from "vitest";
import { codeOf, type CrashingHub } from "./crashing-hub.ts";
import { CASH, type createAccount } from "./days-account.ts";
import { tostones } from "./tostones.ts";

export const CARD = 2;
export const CREDIT = 3;
export const RNC = "131246789";
export const tillOf = { front: "bar", back: "door" } as const;
/** The device `alone` belongs to no till. */
const devices = ["front", "back", "alone"] as const;

/** What a guest may ask for. The last two are refused at first: a buyer without RNC, and a type that is not granted. */
const fiscalRequests = [
  {},
  { type: "B02" },
  { type: "B01", rnc: RNC },
  { type: "E32" },
  { type: "E32" },
  { type: "E31", rnc: RNC },
  { type: "E31" },
  { type: "B14", rnc: RNC },
] as const;

interface Taken {
  identity: string;
  methodId: number;
  amount: number;
  tip: number;
}

export interface Walk {
  seed: number;
  restaurant: CrashingHub;
  account: ReturnType<typeof createAccount>;
  random: () => number;
  countAction: (action: string) => void;
}

/** Money that is taken online belongs to the open shift, also after the hub's clock was put back. */
const ALWAYS = Number.MAX_SAFE_INTEGER;
const partOf = (identity: string, index: number): string => (index === 0 ? identity : `${identity}#${index}`);
const takenOf = (identity: string, each: Omit<Taken, "identity" | "tip"> & { tip?: number }): Taken => {
  const { methodId, amount, tip = 0 } = each;
  return { identity, methodId, amount, tip };
};

export const cents = (value: number): number => Math.round(value * 100) / 100;

/** Returns functions that choose at random. */
export const choicesOf = (random: () => number) => ({
  below: (count: number): number => Math.floor(random() * count),
  pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
});

/** Creates the steps in which guests pay, in one or several ways, each booked in the account. */
export function createPaying({ seed, restaurant, account, random, countAction }: Walk) {
  const { change, operator, orderOf } = restaurant;
  const { below, pick } = choicesOf(random);
  let checkCount = 0;

  /** Splits an amount over one to three payments; later ones are by card or, sometimes, on credit. */
  function paymentsFor(total: number) {
    if (total === 0) return [];
    const parts = splitAmount(
      total,
      Array.from({ length: 1 + below(3) }, () => 1 + below(5)),
    ).filter((part) => part > 0);
    return parts.map((amount) => {
      const methodId = pick([CASH, CASH, CARD, CREDIT]) ?? CASH;
      const tip = methodId !== CREDIT && random() < 0.3 ? cents(1 + below(9_900) / 100) : 0;
      const change = methodId === CASH ? cents(below(50_000) / 100) : 0;
      return {
        methodId,
        amount,
        ...(tip > 0 && { tip }),
        ...(methodId === CASH && { tendered: sum([amount, change]), change }),
        ...(methodId === CREDIT && { customerId: pick([51, 53]) ?? 51 }),
      };
    });
  }

  async function pay(): Promise<void> {
    const posReference = `A${seed}-${(checkCount += 1)}`;
    const [device, portions] = [pick(devices) ?? "front", 1 + below(4)];
    const price = cents(below(40_000) / 100);
    const comp = { ...tostones("c", 1), voided: true, voidReason: "casa", comp: true };
    const lines = [
      ...(random() < 0.8 ? [tostones("a", portions)] : []),
      { id: "x", productId: 102, quantity: 3, unitPrice: price, total: cents(3 * price) },
      ...(random() < 0.2 ? [comp] : []),
    ];
    const full = sum(lines.flatMap((each) => ("voided" in each ? [] : [each.total])));
    const off = pick([0, 0, 0, cents(full * 0.1), cents(full * random()), full]) ?? 0;
    const service = pick([0, 0, cents(below(5_000) / 100)]) ?? 0;
    const adjustments = [
      ...(off > 0 ? [{ kind: "discount", amount: -off, reason: "cliente" }] : []),
      ...(service > 0 ? [{ kind: "service", amount: service }] : []),
    ];
    const total = subtract(sum([full, service]), off);
    const snapshot = {
      orderType: "dine_in",
      tableId: 1 + below(59),
      guestCount: 2,
      staffName: "Ana",
      lines,
      adjustments,
    };
    const create = { type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot, additionalCheck: true };
    const { version: baseVersion } = await change(device, create);
    account.waiters.set(posReference, "Ana");
    const fiscal = pick(fiscalRequests) ?? {};
    const isTyped = random() < 0.05;
    const number = isTyped
      ? { ncf: `B029${String(seed).padStart(4, "0").slice(-4)}${String(checkCount).padStart(3, "0")}` }
      : { fiscal };
    const ask = { posReference, ...number };
    const taken: Taken[] = [];
    const payWith = async (payments: ReturnType<typeof paymentsFor>): Promise<void> => {
      // Cash that came with refused credit would be kept for a manager.
      const isMixed = payments.length > 1 && payments.some(({ methodId }) => methodId === CREDIT);
      if (!isMixed && (payments.length === 0 || random() < 0.6)) {
        const paymentId = crypto.randomUUID();
        await change(device, { type: "ORDER_PAY", baseVersion, paymentId, payments, ...ask });
        taken.push(...payments.map((each, index) => takenOf(partOf(paymentId, index), each)));
        return;
      }
      for (const payment of payments) {
        const tenderId = crypto.randomUUID();
        await change(device, { type: "ORDER_TENDER", tenderId, ...payment, ...ask });
        taken.push(takenOf(tenderId, payment));
      }
    };
    await payWith(paymentsFor(total)).catch((error: unknown) => {
      if (codeOf(error) !== "CREDIT_REFUSED") throw error;
      countAction("credit refused");
      const due = subtract(total, sum(taken.map(({ amount }) => amount)));
      return payWith([{ methodId: CASH, amount: due, tendered: due, change: 0 }]);
    });
    for (const each of taken) account.book(device, ALWAYS, { ...each, posReference, kind: "payment" });
    const { snapshot: stored } = await orderOf(posReference);
    expect(stored.totals.total).toBe(total);
    const legalTip = lines[0]?.id === "a" ? 22.5 * portions : 0;
    const at = Date.parse(String(stored["paidAt"]));
    account.sold.push({ posReference, party: posReference, guests: 2, at, total, legalTip, payments: taken });
    countAction(total === 0 ? "courtesy" : "paid");
  }

  /** A second cashier takes money for a check that is paid, and gives it back. */
  async function payTwice(): Promise<void> {
    const posReference = pick(account.sold)?.posReference;
    if (posReference === undefined) return;
    const [device, paymentId] = [pick(devices) ?? "front", crypto.randomUUID()];
    const payment = { methodId: pick([CASH, CARD]) ?? CASH, amount: cents(1 + below(30_000) / 100) };
    const again = { type: "ORDER_PAY", posReference, baseVersion: 1, paymentId, payments: [payment] };
    await expect(change(device, again)).rejects.toMatchObject({ errorCode: "ORDER_LOCKED", kept: true });
    const row = { ...takenOf(paymentId, payment), posReference };
    account.book(device, ALWAYS, { ...row, kind: "payment" });
    const params = { paymentId };
    const answer = await operator("settlePayment", { params, body: { note: "devuelto" } });
    // It was settled just before a kill.
    expect([200, 409]).toContain(answer.status);
    account.book(device, ALWAYS, { ...row, amount: -payment.amount, kind: "given_back" });
    countAction("paid twice");
  }

  async function assign(): Promise<void> {
    const row = pick(account.unassigned().filter(({ kind }) => kind === "payment"));
    const shift = pick(account.shifts);
    if (row === undefined || shift === undefined) return;
    const answer = await operator("assignPayment", {
      params: { paymentId: row.identity },
      body: { shiftId: shift.id },
    });
    expect(answer.body).toMatchObject({ late: account.assign(row.identity, shift.id) });
    countAction("assigned");
  }

  return { pay, payTwice, assign };
}
