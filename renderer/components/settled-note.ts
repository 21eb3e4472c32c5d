import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";

/** What the hub itself writes when it applies a payment, with a manager's remark behind it. */
const APPLIED = /^applied ([\d.]+)(?:, ([\d.]+) to be collected)?(?:, ([\d.]+) to be given back)?(?:: (.*))?$/s;

/** How a kept payment was settled: a manager's own words, or what the hub did, in the reader's language. */
export function useSettledNote(): (note: string) => string {
  const { t } = useTranslation("common");
  const format = useFormat();
  const money = (amount: string) => format.money(Number(amount));
  return (note) => {
    if (note === "applied by a later attempt") return t("settledBy.later");
    const facts = APPLIED.exec(note);
    if (facts === null) return note;
    const [, applied = "0", due, giveBack, remark] = facts;
    const parts = [
      t("settledBy.applied", { amount: money(applied) }),
      due !== undefined && t("settledBy.due", { amount: money(due) }),
      giveBack !== undefined && t("settledBy.giveBack", { amount: money(giveBack) }),
      remark,
    ];
    return parts.filter(Boolean).join(" · ");
  };
}
