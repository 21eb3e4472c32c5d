import type { Snapshot } from "@comanda/protocol";
import {
  isCovered,
  paymentsForCheck,
  paymentsIn,
  type PaymentMethods,
  settledCheck,
  tenderForCheck,
  voidTender,
} from "@comanda/rules";
import type { Intent } from "../outbox/outbox-entry.ts";

export type MoneyMove = Extract<Intent, { type: "ORDER_PAY" | "ORDER_TENDER" | "ORDER_TENDER_VOID" }>;

/** Who took the money, and when (ISO 8601). */
interface Taking {
  by: string;
  at: string;
  terminalId: string;
  methods: PaymentMethods;
}

/** An active check with money that was brought, or taken back. What the hub will refuse shows as it was brought. */
export function replayMoney(check: Snapshot, intent: MoneyMove, { by, at, terminalId, methods }: Taking): Snapshot {
  switch (intent.type) {
    case "ORDER_PAY": {
      const result = paymentsForCheck(check, intent.payments, methods);
      const payments = "payments" in result ? result.payments : intent.payments;
      return settledCheck(check, { tenders: check.tenders ?? [], payments, paymentId: intent.paymentId });
    }
    case "ORDER_TENDER": {
      const { tenderId } = intent;
      // The hub has it already.
      if (check.tenders?.some((each) => each.tenderId === tenderId) === true) return check;
      const result = tenderForCheck(check, paymentsIn(intent), methods);
      const payments = "payments" in result ? result.payments : paymentsIn(intent);
      const added = payments.map((payment) => ({ ...payment, tenderId, takenAt: at, takenBy: by, terminalId }));
      const shown = { ...check, tenders: [...(check.tenders ?? []), ...added] };
      return isCovered(shown) ? settledCheck(shown, { tenders: shown.tenders, payments: [] }) : shown;
    }
    case "ORDER_TENDER_VOID": {
      const result = voidTender(check, intent.tenderId, { at, by, reason: intent.reason });
      return "tenders" in result ? { ...check, tenders: result.tenders } : check;
    }
  }
}
