import type { RefundToMake } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { refusalText } from "../../lib/page/show-refusal.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { refundRefusal } from "./refund-rights.ts";
import type { RefundStep } from "./use-refund.ts";

/** The result of a refund: the credit note's number and what to hand out, the refusal, or that it is unknown. */
export function RefundOutcome({
  step,
  onAgain,
  onBack,
  onClose,
}: {
  step: Exclude<RefundStep, { name: "choose" | "approving" }>;
  onAgain: (request: RefundToMake) => void;
  onBack: () => void;
  onClose: () => void;
}) {
  const { t, format } = useTranslation(["recent", "common", "check"]);
  const menu = useMenu();
  const messageOf = (code: string): string => {
    const own = refundRefusal(code);
    return own === null ? refusalText(code) : t(`refundRefusals.${own}`);
  };
  switch (step.name) {
    case "asking":
      return <output>{t("refundAsking")}</output>;
    case "refused":
      return (
        <>
          <output data-tone="bad">
            {messageOf(step.code)} {t("nothingGivenBack")}
          </output>
          <ActButton onAct={onBack}>{t("common:back")}</ActButton>
        </>
      );
    case "unanswered":
      return (
        <>
          {step.code !== undefined && <output data-tone="bad">{messageOf(step.code)}</output>}
          <UncertainRefund onAgain={() => onAgain(step.request)} />
        </>
      );
    case "answered": {
      const { refund, request } = step;
      if (refund.state === "pending") return <UncertainRefund onAgain={() => onAgain(request)} />;
      return (
        <>
          <output data-tone="good" className="refund-done">
            {refund.ncf == null
              ? t("refundMadeNoNumber")
              : t("refundMade", { ncf: refund.ncf, total: format.money(refund.total ?? refund.amount) })}
          </output>
          {refund.refund.map(({ methodId, amount }) => (
            <p key={methodId} className="refund-amount">
              {t("refundGive", { amount: format.money(amount), method: methodName(menu, methodId) })}
            </p>
          ))}
          <ActButton kind="main" onAct={onClose}>
            {t("check:ok")}
          </ActButton>
        </>
      );
    }
  }
}

/** Shown while it is unknown whether the credit note was made. Repeating the same request makes no second one. */
export function UncertainRefund({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation("recent");
  return (
    <>
      <output data-tone="warn">{t("refundInDoubt")}</output>
      <ActButton kind="main" onAct={onAgain}>
        {t("refundAskAgain")}
      </ActButton>
    </>
  );
}
