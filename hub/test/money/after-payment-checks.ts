import type { Payment, Refund } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { expect } from "vitest";
import type { AfterPayment } from "./after-payment-walk.ts";
import { sorted } from "./days-checks.ts";

interface BookedOrder {
  posReference: string;
  ncf: string | null;
  order: { snapshot: { payments: Payment[] } };
}
interface ListedNumber {
  ncf: string;
  type: string;
  posReference: string;
  state: "reserved" | "used" | "annulled";
}
interface Note {
  posReference: string;
  ncf: string;
  refundId: string;
  total: number;
}

/** Each order and note is at the back-office once, with the hub's number and money, and no number is lost between them. */
export async function checkDocuments({ hub, operator, account, orderOf }: AfterPayment): Promise<void> {
  const { detail } = (await operator("overview")).body;
  expect(detail).toMatchObject({ paidTotal: sum(account.sold.map(({ total }) => total)), notYetInAccounting: 0 });
  const { orders } = (await hub.backOffice.control("GET", "/orders")) as { orders: BookedOrder[] };
  const { notes } = (await hub.backOffice.control("GET", "/credit-notes")) as { notes: Note[] };
  const { numbers } = (await hub.backOffice.control("GET", "/ncf")) as { numbers: ListedNumber[] };
  const own = [];
  const refunds: { posReference: string; refund: Refund }[] = [];
  for (const { posReference } of account.sold) {
    const { snapshot } = await orderOf(posReference);
    own.push({ posReference, ncf: snapshot.ncf ?? null, payments: snapshot.payments });
    for (const refund of snapshot.refunds ?? []) refunds.push({ posReference, refund });
    expect(snapshot.status).toBe("closed");
    if (snapshot.ncf === undefined) expect(snapshot.fiscal?.status, posReference).toBe("none");
  }
  const booked = orders.map(({ posReference, ncf, order }) => ({
    posReference,
    ncf,
    payments: order.snapshot.payments,
  }));
  expect(sorted(own)).toEqual(sorted(booked));

  const noted = refunds.map(({ posReference, refund: { refundId, ncf, amount } }) => ({
    posReference,
    refundId,
    ncf,
    total: amount,
  }));
  expect(sorted(noted)).toEqual(
    sorted(notes.map(({ posReference, refundId, ncf, total }) => ({ posReference, refundId, ncf, total }))),
  );
  expect(refunds.filter(({ refund: { state } }) => state !== "made")).toEqual([]);

  const used = [...orders.flatMap(({ ncf }) => ncf ?? []), ...notes.map(({ ncf }) => ncf)];
  const listedUsed = numbers.filter(({ state }) => state === "used").map(({ ncf }) => ncf);
  expect(used.toSorted()).toEqual(listedUsed.toSorted());
  expect(numbers.filter(({ state }) => state === "reserved")).toEqual([]);
  for (const [type, of] of Map.groupBy(
    numbers.filter(({ ncf }) => !ncf.startsWith("B029")),
    (each) => each.type,
  )) {
    const assigned = of.map(({ ncf }) => Number(ncf.slice(3))).toSorted((a, b) => a - b);
    expect(assigned, type).toEqual(assigned.map((_, index) => index + 1));
  }
}

/** The debts at the back-office are what was paid on credit, less what went back. */
export async function checkCredit({ hub, account }: AfterPayment): Promise<void> {
  const { customers } = (await hub.backOffice.control("GET", "/customers")) as { customers: { creditUsed: number }[] };
  const onCredit = ({ methodId }: { methodId: number }): boolean => methodId === 3;
  const owed = account.sold.flatMap(({ payments }) => payments.filter(onCredit)).map(({ amount }) => amount);
  const back = account.refunds.flatMap(({ payments }) => payments.filter(onCredit)).map(({ amount }) => -amount);
  expect(sum(customers.map(({ creditUsed }) => creditUsed))).toBe(sum([...owed, ...back]));
}
