import type { Terminal } from "@comanda/terminal";
import { callBackOffice, type Menu } from "@comanda/terminal/node";
import { untilAcknowledged } from "./until-acknowledged.ts";
import type { Stage } from "./stage.ts";

/** How a check is paid: plainly, or with a fiscal number of this type. */
export interface Bill {
  ncfType?: "B01" | "B02" | "E32";
  rnc?: string;
}

/** The till: checks orders out, reserves fiscal numbers and takes the money. Keeps a ledger of what it took. */
export interface Till {
  settle(posReference: string, bill?: Bill): Promise<void>;
  discard(posReference: string, reason: string): Promise<void>;
  /** What was taken, by order. */
  ledger: ReadonlyMap<string, number>;
}

export function openTill(
  terminal: Terminal,
  deps: { stage: Stage; menu: Menu; backOfficeUrl: string; token: string },
): Till {
  const { stage, menu, backOfficeUrl, token } = deps;
  const ledger = new Map<string, number>();
  let paid = 0;
  return {
    ledger,
    async settle(posReference, bill = {}) {
      await untilAcknowledged(terminal.checkOut(posReference));
      const order = terminal.order(posReference);
      if (order === undefined) throw new Error(`${posReference} is not on the till's screen`);
      const { total } = order.snapshot.totals;
      const ncf = bill.ncfType === undefined ? undefined : await reserveNumber(posReference, bill);
      const method = menu.paymentMethods.find(({ type }) => type === (paid % 2 === 0 ? "cash" : "bank"));
      const methodId = method?.id ?? 1;
      paid += 1;
      await untilAcknowledged(
        terminal.pay(posReference, { payments: [{ methodId, amount: total }], ...(ncf === undefined ? {} : { ncf }) }),
      );
      ledger.set(posReference, total);
      const receipt = ncf === undefined ? "" : `, receipt ${ncf}`;
      stage.say("till", `takes ${total.toFixed(2)} for ${posReference}${receipt}`);
    },
    async discard(posReference, reason) {
      await untilAcknowledged(terminal.discardOrder(posReference, reason));
      stage.say("till", `discards ${posReference}: ${reason}`);
    },
  };

  /** The number belongs to an order that the back-office knows, so it gets a draft first. Waits until the back-office is reachable. */
  async function reserveNumber(posReference: string, { ncfType, rnc }: Bill): Promise<string> {
    const order = terminal.order(posReference);
    const { lines = [], totals, tableId } = order?.snapshot ?? {};
    const draft = { pos_reference: posReference, status: "draft", tableId, lines, totals };
    let isWaiting = false;
    return stage.until(`a fiscal number for ${posReference}`, async () => {
      try {
        await callBackOffice(backOfficeUrl, token, "orders/create", draft);
        const request = { pos_reference: posReference, type: ncfType, rnc };
        const reserved = (await callBackOffice(backOfficeUrl, token, "orders/reserve-ncf", request)) as { ncf: string };
        return reserved.ncf;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        if (!isWaiting) stage.say("till", "waits for the back-office: no fiscal number without it");
        isWaiting = true;
        return undefined;
      }
    });
  }
}
