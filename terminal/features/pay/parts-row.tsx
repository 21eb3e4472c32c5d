import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { Payment } from "./use-payment.ts";

/** In how many equal parts the rest of the check is paid, or by an amount. */
export function PartsRow({ payment: { draft, change, asking, setSheet } }: { payment: Payment }) {
  const { t } = useTranslation("pay");
  const division = draft.parts?.division;
  const equalParts = division !== undefined && "count" in division ? division.count : undefined;
  return (
    <fieldset className="pay-row" aria-label={t("parts")}>
      <span>{t("parts")}</span>
      <ActButton size="small" aria-pressed={division === undefined} onAct={() => change({ parts: null })}>
        1
      </ActButton>
      {partCounts(equalParts).map((count) => (
        <ActButton
          key={count}
          size="small"
          aria-pressed={equalParts === count}
          onAct={() => change({ parts: { division: { count }, paid: asking.soFar.paid } })}
        >
          ÷{count}
        </ActButton>
      ))}
      <ActButton
        size="small"
        aria-pressed={division !== undefined && equalParts === undefined}
        onAct={() => setSheet("part")}
      >
        {t("partAmount")}
      </ActButton>
    </fieldset>
  );
}

/** Two, three or four, and the number that was asked for. */
function partCounts(asked = 2): number[] {
  return [...new Set([2, 3, 4, asked])].toSorted((one, other) => one - other);
}
