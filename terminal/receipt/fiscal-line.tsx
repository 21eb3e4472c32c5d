import type { LocalOrder } from "@comanda/terminal";
import { IconAlertTriangle, IconClock } from "@tabler/icons-react";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { PracticeStamp } from "../practice/practice-stamp.tsx";
import { fiscalStanding } from "./fiscal-standing.ts";

/** The fiscal number of a paid check, or why it is not there, in words. */
export function FiscalLine({ order }: { order: Pick<LocalOrder, "snapshot" | "pending"> }) {
  const { t } = useTranslation("pay");
  const format = useFormat();
  const standing = fiscalStanding(order);
  if (standing.state === "none") return <p className="fiscal-line soft">{t("ncfNone")}</p>;
  if (standing.state === "pending") {
    return (
      <p className="fiscal-line" data-tone="warn">
        <IconClock size={20} aria-hidden />
        {t("ncfPending")}
      </p>
    );
  }
  if (standing.state === "failed") {
    const { code } = standing;
    const reason = t(`ncfFailed.${code === "NCF_EXHAUSTED" || code === "BUYER_MISSING" ? code : "other"}`);
    return (
      <p className="fiscal-line" data-tone="bad">
        <IconAlertTriangle size={20} aria-hidden />
        {t("ncfFailed.what", { reason })}
      </p>
    );
  }
  const { ncf, expiresOn } = standing;
  return (
    <p className="fiscal-number">
      <PracticeStamp />
      <strong>{t("ncf", { ncf })}</strong>
      {expiresOn !== null && <span>{t("validUntil", { date: format.date(expiresOn) })}</span>}
    </p>
  );
}
