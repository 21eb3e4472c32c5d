import type { LocalOrder } from "@comanda/terminal";
import { isElectronic, receiptStanding } from "@comanda/rules";
import { IconAlertTriangle, IconClock } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { PracticeStamp } from "../practice/practice-stamp.tsx";
import { fiscalStanding } from "./fiscal-standing.ts";

/** The fiscal number of a paid check, or in words why it has none. */
export function FiscalLine({ order }: { order: Pick<LocalOrder, "snapshot" | "pending"> }) {
  const { t, format } = useTranslation("pay");
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
      <Signature order={order} />
    </p>
  );
}

/** The signature state of an electronic receipt; null for one on paper. */
function Signature({ order: { snapshot } }: { order: Pick<LocalOrder, "snapshot"> }) {
  const { t } = useTranslation("pay");
  const { ncf, fiscal } = snapshot;
  const standing = receiptStanding(snapshot);
  if (standing === "conflict" || standing === "rejected") return <span data-tone="bad">{t(`ecf.${standing}`)}</span>;
  const code = fiscal?.ecf?.securityCode;
  if (code !== undefined) return <span>{t("ecf.code", { code })}</span>;
  if (!isElectronic(ncf) || fiscal?.lookup === undefined) return null;
  return <span>{t("ecf.pending", { code: fiscal.lookup })}</span>;
}
