import { addLine, amountDue, type OrderContent, type Terminal } from "@comanda/terminal";
import { sum } from "@comanda/rules";
import type { Menu } from "./menu.ts";
import { untilAcknowledged } from "./until-acknowledged.ts";
import { DEMO_PREFIX } from "./demo-prefix.ts";
import type { Stage } from "./stage.ts";

/** The fiscal number that the guest asks for. */
export interface Bill {
  type: "B01" | "B02" | "E32";
  rnc?: string;
}

/** The till: checks orders out, takes the money and keeps a ledger of it. */
export interface Till {
  settle(posReference: string, bill?: Bill): Promise<void>;
  /** Takes a first part in cash and the rest by card. */
  settleInParts(posReference: string, bill?: Bill): Promise<void>;
  /** Charges the check to a customer's account. */
  settleOnCredit(posReference: string, customer: { id: number; name: string }): Promise<void>;
  /** Sells before cooking: takes the order and the money, then sends it to the kitchen. */
  sellToTakeAway(dishes: readonly number[]): Promise<string>;
  /** Voids a dish that came out wrong. */
  voidDish(posReference: string, reason: string): Promise<void>;
  discard(posReference: string, reason: string): Promise<void>;
  /** Returns the cash in the drawer without its float. */
  cash(): number;
  /** Amounts taken, by order. */
  ledger: ReadonlyMap<string, number>;
  /** Types of the fiscal numbers that orders were paid with, by order. */
  receipts: ReadonlyMap<string, string>;
}

/** Guests pay in banknotes of this value. */
const BANKNOTE = 500;

export function openTill(terminal: Terminal, { stage, menu }: { stage: Stage; menu: Menu }): Till {
  const ledger = new Map<string, number>();
  const receipts = new Map<string, string>();
  const methodOf = (type: string) => menu.paymentMethods.find((method) => method.type === type)?.id ?? 1;
  let takeaways = 0;
  let paid = 0;
  let cash = 0;

  return {
    cash: () => cash,
    ledger,
    receipts,
    settle,
    settleInParts,
    settleOnCredit,
    sellToTakeAway,
    voidDish,
    discard,
  };

  async function settle(posReference: string, bill?: Bill): Promise<void> {
    await untilAcknowledged(terminal.checkOut(posReference));
    await pay(posReference, bill);
  }

  async function pay(posReference: string, bill?: Bill): Promise<void> {
    const total = totalOf(posReference);
    const isCash = paid % 2 === 0;
    paid += 1;
    const amount = isCash ? Math.ceil(total / BANKNOTE) * BANKNOTE : total;
    const payments = [{ methodId: methodOf(isCash ? "cash" : "bank"), amount }];
    await untilAcknowledged(terminal.pay(posReference, { payments, ...fiscalOf(bill) }));
    if (isCash) cash = sum([cash, total]);
    const change = isCash ? `, gives ${(amount - total).toFixed(2)} back` : "";
    recordPayment(posReference, total, `takes ${amount.toFixed(2)} for ${posReference}${change}`, bill);
  }

  async function settleInParts(posReference: string, bill?: Bill): Promise<void> {
    const total = totalOf(posReference);
    const part = Math.min(BANKNOTE, Math.floor(total / 2));
    await untilAcknowledged(terminal.tender(posReference, { methodId: methodOf("cash"), amount: part }));
    cash = sum([cash, part]);
    stage.log("till", `takes ${part.toFixed(2)} of ${total.toFixed(2)} for ${posReference}`);
    await stage.pause(1);
    const due = amountDue(snapshotOf(posReference));
    const remainder = { methodId: methodOf("bank"), amount: due, ...fiscalOf(bill) };
    await untilAcknowledged(terminal.tender(posReference, remainder));
    recordPayment(posReference, total, `takes the rest, ${due.toFixed(2)}, for ${posReference}`, bill);
  }

  async function settleOnCredit(posReference: string, customer: { id: number; name: string }): Promise<void> {
    const total = totalOf(posReference);
    const credit = { methodId: methodOf("pay_later"), amount: total, customerId: customer.id };
    await untilAcknowledged(terminal.tender(posReference, credit));
    recordPayment(
      posReference,
      total,
      `puts ${total.toFixed(2)} for ${posReference} on the account of ${customer.name}`,
    );
  }

  async function sellToTakeAway(dishes: readonly number[]): Promise<string> {
    const posReference = `${DEMO_PREFIX}${terminal.deviceId}-${String((takeaways += 1)).padStart(3, "0")}`;
    const lines = dishes.map((dish, index) => {
      const product = menu.products[dish % menu.products.length];
      if (product === undefined) throw new Error("the back-office has no products");
      return menu.line(product, `${posReference}-${index + 1}`, 1, "takeout");
    });
    const empty: OrderContent = { orderType: "takeout", guestCount: 1 };
    await untilAcknowledged(terminal.openOrder({ posReference, ...lines.reduce(addLine, empty) }));
    await pay(posReference);
    await untilAcknowledged(terminal.sendToKitchen(posReference));
    stage.log("till", `sends ${posReference} to the kitchen, paid already`);
    return posReference;
  }

  async function voidDish(posReference: string, reason: string): Promise<void> {
    const line = snapshotOf(posReference).lines.find((each) => each.voided !== true);
    if (line === undefined) throw new Error(`${posReference} has nothing to void`);
    await untilAcknowledged(terminal.voidLine(posReference, line.id, { reason }));
    stage.log("till", `voids a dish of ${posReference}: ${reason}`);
  }

  async function discard(posReference: string, reason: string): Promise<void> {
    await untilAcknowledged(terminal.discardOrder(posReference, reason));
    stage.log("till", `discards ${posReference}: ${reason}`);
  }

  function recordPayment(posReference: string, total: number, text: string, bill?: Bill): void {
    ledger.set(posReference, total);
    if (bill !== undefined) receipts.set(posReference, bill.type);
    const { ncf, fiscal } = snapshotOf(posReference);
    const receipt = bill === undefined ? "" : `, receipt ${ncf ?? `${bill.type} ${fiscal?.status ?? "pending"}`}`;
    stage.log("till", `${text}${receipt}`);
  }

  function snapshotOf(posReference: string) {
    const order = terminal.order(posReference);
    if (order === undefined) throw new Error(`${posReference} is not on the till's screen`);
    return order.snapshot;
  }

  function totalOf(posReference: string): number {
    return snapshotOf(posReference).totals.total;
  }
}

function fiscalOf(bill: Bill | undefined) {
  return bill === undefined ? {} : { fiscal: { ...bill } };
}
