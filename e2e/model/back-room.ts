import {
  AppliedPayment,
  HUB_ORIGIN,
  OrderDetail,
  OrderVersions,
  PaymentPage,
  TicketList,
  type OperatorTicket,
  type UnappliedPayment,
  type StoredOrder,
} from "@comanda/protocol";
import { callOperator } from "../support/call-operator.ts";
import type { Restaurant } from "../support/restaurant.ts";

/** The manager's note on a payment that is on no check and was given back. */
const GIVEN_BACK = "to the guest";

/** A fiscal number as the stand-in lists it. */
interface StubNumber {
  ncf: string;
  posReference: string;
  state: string;
}

/** An order as the stand-in lists it. */
interface StubOrder {
  posReference: string;
  status: string;
  ncf: string | null;
  order: { snapshot: { payments: { amount: number }[]; totals: { total: number } } };
}

export type BackRoom = ReturnType<typeof openBackRoom>;

/** Acts as the manager on the hub's screens and reads the back-office, for orders whose references begin with `prefix`. */
export function openBackRoom(restaurant: Restaurant, prefix: string) {
  const ownOnly = <T extends { posReference: string }>(list: readonly T[]): T[] =>
    list.filter(({ posReference }) => posReference.startsWith(prefix));

  const call = (method: "GET" | "POST", path: string, body?: object) =>
    callOperator(restaurant, method, path, { body });

  async function payments(state: "open" | "settled"): Promise<UnappliedPayment[]> {
    const { answer } = await call("GET", `payments?state=${state}&limit=200`);
    return ownOnly(PaymentPage.parse(answer).payments);
  }

  /** Payments that a manager applied to checks without an amount due: the guest gets them back. */
  const overpaid: { posReference: string; amount: number }[] = [];

  return {
    openPayments: () => payments("open"),
    /** Returns every payment that the hub has kept, settled or not. */
    keptPayments: async () => [...(await payments("open")), ...(await payments("settled"))],
    /** Applies every kept payment to its check, or settles it as given back. */
    async handlePayments(): Promise<void> {
      for (const { paymentId, posReference, amount, orderStatus } of await payments("open")) {
        const applied = orderStatus === null ? null : await call("POST", `payments/${paymentId}/apply`);
        if (applied?.status === 200) {
          const result = AppliedPayment.parse(applied.answer);
          if (result.applied === 0 && result.giveBack === amount) overpaid.push({ posReference, amount });
          continue;
        }
        const settled = await call("POST", `payments/${paymentId}/settle`, { note: GIVEN_BACK });
        if (settled.status !== 200) throw new Error(`payment ${paymentId}: ${JSON.stringify(settled.answer)}`);
      }
    },
    /** Returns payments that were given back without having been on a check, here or at a terminal. */
    returnedPayments: async () => [
      ...(await payments("settled")).filter(
        ({ settled }) => settled?.note.reason === "note_given_back" || settled?.note.words === GIVEN_BACK,
      ),
      ...overpaid,
    ],
    /** Returns an order's present or, if it was discarded, its last content; null if the hub never had it. */
    async lastContent(posReference: string): Promise<StoredOrder | null> {
      const { status, answer } = await call("GET", `orders/${encodeURIComponent(posReference)}`);
      return status === 404 ? null : OrderDetail.parse(answer).order;
    },
    async tickets(): Promise<OperatorTicket[]> {
      const lists = await Promise.all([call("GET", "kitchen?state=open"), call("GET", "kitchen?state=ready")]);
      return ownOnly(lists.flatMap(({ answer }) => TicketList.parse(answer).tickets));
    },
    /** Returns the versions that terminals wrote, except payments, which the hub may acknowledge from its present state. */
    async versionsByTerminals(posReference: string): Promise<number[]> {
      const { answer } = await call("GET", `orders/${encodeURIComponent(posReference)}/versions`);
      const { versions } = OrderVersions.parse(answer);
      const moneyKinds = ["tendered", "tender_voided", "paid"];
      return versions
        .filter(({ origin, kind }) => origin !== HUB_ORIGIN && !moneyKinds.includes(kind))
        .map(({ version }) => version);
    },
    async books(): Promise<{ orders: StubOrder[]; numbers: StubNumber[] }> {
      const { orders } = await restaurant.stub<{ orders: StubOrder[] }>("/stub/v1/orders");
      const { numbers } = await restaurant.stub<{ numbers: StubNumber[] }>("/stub/v1/ncf");
      return { orders: ownOnly(orders), numbers: ownOnly(numbers) };
    },
  };
}
