import type { LocalOrder } from "@comanda/terminal";
import { receiptStanding } from "@comanda/rules";
import { IconAlertTriangle, IconClock } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { fiscalStanding } from "./fiscal-standing.ts";

/** What a paid check's receipt waits for, or what is wrong with it. The paper itself has the number. */
export function FiscalLine({ order }: { order: Pick<LocalOrder, "snapshot" | "pending"> }) {
  const { t } = useTranslation("pay");
  const number = fiscalStanding(order);
  if (number.state === "pending") {
    return (
      <p className="fiscal-line" data-tone="warn">
        <IconClock size={20} aria-hidden />
        {t("ncfPending")}
      </p>
    );
  }
  const problem = () => {
    if (number.state === "failed") {
      const { code } = number;
      const reason = t(`ncfFailed.${code === "NCF_EXHAUSTED" || code === "BUYER_MISSING" ? code : "other"}`);
      return t("ncfFailed.what", { reason });
    }
    const standing = receiptStanding(order.snapshot);
    return standing === "conflict" || standing === "rejected" ? t(`ecf.${standing}`) : null;
  };
  const text = problem();
  return (
    text !== null && (
      <p className="fiscal-line" data-tone="bad">
        <IconAlertTriangle size={20} aria-hidden />
        {text}
      </p>
    )
  );
}
