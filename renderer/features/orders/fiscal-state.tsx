import type { FiscalState, OrderVersion } from "@comanda/protocol";
import { OTHER_NUMBER, type ReceiptStanding } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import type { Tone } from "../../components/layout/status-mark.tsx";

export const toneOfFiscal: Record<FiscalState["status"], Tone> = {
  none: "idle",
  pending: "warn",
  assigned: "good",
  failed: "bad",
};

export const toneOfReceipt: Record<Exclude<ReceiptStanding, "sent">, Tone> = {
  signing: "accent",
  contingency: "warn",
  rejected: "bad",
  conflict: "bad",
};

/** The fiscal number with its last valid day, or why there is none yet. */
export function FiscalNote({ fiscal }: { fiscal: NonNullable<OrderVersion["fiscal"]> }) {
  const { t, format } = useTranslation("orders");
  const { status, ncf, type, expiresOn, rnc, name, error, errorCode, ecf } = fiscal;
  const reasonOf = useBackOfficeText();
  const parts = [
    status === "failed" ? t("fiscalFailed", { type }) : status === "pending" ? t("fiscalPending", { type }) : ncf,
    expiresOn !== undefined && t("lastDay", { day: format.date(expiresOn) }),
    Boolean(rnc) && t("rncOf", { rnc }),
    name,
    ecf?.securityCode !== undefined && `${t("securityCode")} ${ecf.securityCode}`,
  ];
  // If the back-office has another number than the order, the order's number was not refused.
  const isConflict = status === "assigned" && errorCode === OTHER_NUMBER;
  return (
    <>
      <p className="timeline-note">{parts.filter(Boolean).join(" · ")}</p>
      {isConflict && (
        <p className="timeline-note" data-tone="bad">
          {t("receiptConflict", { ncf: ecf?.ncf ?? "" })}
        </p>
      )}
      {ecf?.status === "rejected" && (
        <p className="timeline-note" data-tone="bad">
          {[t("receipt.rejected"), ecf.error].filter(Boolean).join(": ")}
        </p>
      )}
      {error !== undefined && !isConflict && (
        <p className="timeline-note" data-tone="bad">
          {reasonOf({ words: error }, errorCode)}
        </p>
      )}
    </>
  );
}
