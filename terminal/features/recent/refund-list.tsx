import type { Refund } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { PaidCheck } from "../../checks/paid-checks.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { Sheet } from "../../components/sheet.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { isWithoutPrinter } from "../../receipt/use-print.ts";
import { UncertainRefund, RefundOutcome } from "./refund-outcome.tsx";
import { useRefund } from "./use-refund.ts";

/** The refunds of a check, each with its credit note; one without an answer can be requested again. */
export function RefundList({ check: { posReference, snapshot } }: { check: PaidCheck }) {
  const { t, format } = useTranslation("recent");
  const terminal = useTerminal();
  const menu = useMenu();
  const { refunds = [] } = snapshot;
  if (refunds.length === 0) return null;
  return (
    <ul className="rows refund-list" aria-label={t("refunds")}>
      {refunds.map((refund) => (
        <li key={refund.refundId}>
          <strong>
            {refund.state === "pending"
              ? t("refundPending", { amount: format.money(refund.amount) })
              : t("refunded", { amount: format.money(refund.amount) })}
          </strong>
          <span className="soft">
            {joinWithDots(
              refund.ncf,
              format.list(refund.refund.map(({ methodId }) => methodName(menu, methodId))),
              format.when(refund.madeAt ?? refund.at, terminal.now()),
              refund.approvedBy === undefined ? refund.by : t("approvedBy", { by: refund.by, name: refund.approvedBy }),
              refund.reason,
            )}
          </span>
          <AskAgain posReference={posReference} refund={refund} />
          {refund.state === "made" && <PrintNote posReference={posReference} refundId={refund.refundId} />}
        </li>
      ))}
    </ul>
  );
}

/** Requests a refund without an answer again; keeps its result on screen until read. */
function AskAgain({ posReference, refund }: { posReference: string; refund: Refund }) {
  const { t } = useTranslation("recent");
  const { step, give, back } = useRefund([refund]);
  const [isOpen, setOpen] = useState(false);
  const again = (): void => {
    const { refundId, lines, reason } = refund;
    void give({ posReference, refundId, lines, reason: reason ?? "", refund: refund.refund }, t("refund"));
  };
  return (
    <>
      {refund.state === "pending" && (
        <ActButton size="small" onAct={() => setOpen(true)}>
          {t("refundAskAgain")}
        </ActButton>
      )}
      {isOpen && step.name !== "approving" && (
        <Sheet title={t("refund")} onClose={() => setOpen(false)}>
          <div className="tight refund">
            {step.name === "choose" ? (
              <UncertainRefund onAgain={again} />
            ) : (
              <RefundOutcome step={step} onAgain={again} onBack={back} onClose={() => setOpen(false)} />
            )}
          </div>
        </Sheet>
      )}
    </>
  );
}

/** Reprints the credit note of a refund. */
function PrintNote({ posReference, refundId }: { posReference: string; refundId: string }) {
  const { t } = useTranslation(["recent", "pay"]);
  const terminal = useTerminal();
  const print = (): void => {
    const request = terminal.print({ document: "credit-note", posReference, refundId });
    request.then(
      ({ printer }) => showNotice({ text: t("pay:printSent", { printer }) }),
      (error: unknown) => (isWithoutPrinter(error) ? showNotice({ text: t("refundNoPrinter") }) : showRefusal(error)),
    );
  };
  return (
    <ActButton size="small" onAct={print}>
      {t("refundPrint")}
    </ActButton>
  );
}
