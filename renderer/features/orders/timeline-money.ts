import { IconAlertTriangle, IconCash, IconCashOff, IconReceipt } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMethodName, useOrderLabels } from "../../components/labels.ts";
import type { Tone } from "../../components/layout/status-mark.tsx";
import type { ShownEntry } from "./timeline-story.ts";

export interface Presentation {
  tone: Tone;
  Icon: typeof IconCash;
  title: string;
  by?: string;
  note?: ReactNode;
  noteTone?: Tone;
  more?: ReactNode;
}

type MoneyEntry = Extract<ShownEntry, { kind: "payment" | "tender_voided" | "payment_unapplied" | "credit_note" }>;

/** Returns a function that presents payments, voided payments and refunds. */
export function usePresentationOfMoney(): (entry: MoneyEntry) => Presentation {
  const { t, format } = useTranslation("orders");
  const labels = useOrderLabels();
  const methodName = useMethodName();
  return (entry) => {
    switch (entry.kind) {
      case "payment": {
        const { amount, tendered, change, tip } = entry;
        const details = [
          tendered !== null && t("tendered", { amount: format.money(tendered) }),
          change !== null && change > 0 && t("change", { amount: format.money(change) }),
          tip !== null && tip > 0 && t("tip", { amount: format.money(tip) }),
        ];
        return {
          tone: "good",
          Icon: IconCash,
          title: t("payment", { amount: format.money(amount), method: methodName(entry.methodId) }),
          by: [labels.writer(entry.by), entry.terminalId].filter(Boolean).join(" · "),
          note: details.filter(Boolean).join(" · "),
        };
      }
      case "tender_voided":
        return {
          tone: "warn",
          Icon: IconCashOff,
          title: t("tenderVoided", { amount: format.money(entry.amount), method: methodName(entry.methodId) }),
          by: labels.writer(entry.by),
          note: t("reason", { reason: entry.reason }),
        };
      case "payment_unapplied":
        return {
          tone: "bad",
          Icon: IconAlertTriangle,
          title: t("paymentUnapplied", { amount: format.money(entry.payment.amount) }),
          by: `${entry.payment.userName} (${entry.payment.terminalId})`,
          note: refusalTexts(entry.payment.errorCode).what,
          noteTone: "bad",
        };
      case "credit_note":
        return {
          tone: "warn",
          Icon: IconReceipt,
          title: t("creditNoteEntry", {
            ncf: entry.ncf ?? t("numberInAccounting"),
            total: format.money(entry.total),
          }),
          by:
            entry.approvedBy === undefined
              ? entry.userName
              : t("approved", { author: entry.userName, approver: entry.approvedBy }),
          note: [
            ...entry.refund.map(({ methodId, amount }) =>
              t("refundedBy", { amount: format.money(amount), method: methodName(methodId) }),
            ),
            ...(entry.reason === null ? [] : [t("reason", { reason: entry.reason })]),
          ].join(" · "),
        };
    }
  };
}
