import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** How and when restaurants apply a proposal. */
export function TermsLine({ terms: { policy, at, until }, now }: { terms: HqProposalRow["terms"]; now: number }) {
  const { t, format } = useTranslation("proposals");
  return (
    <>
      {Date.parse(at) > now && (
        <p>
          <strong>{t("begins", { time: format.upcoming(at, now) })}</strong>
        </p>
      )}
      <p className="soft">
        {t(policy === "apply" ? "policyApply" : "policyAsk")} · {t("goodUntil", { time: format.dateTime(until) })}
      </p>
    </>
  );
}
