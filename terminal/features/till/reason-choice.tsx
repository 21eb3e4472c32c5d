import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

export type Reason = "change" | "supplier" | "tips" | "safe" | "bank" | "check" | "other";

/** Why money moves, or the drawer opens. */
export function ReasonChoice({
  reasons,
  chosen,
  onChoose,
}: {
  reasons: readonly Reason[];
  chosen: Reason | null;
  onChoose: (reason: Reason) => void;
}) {
  const { t } = useTranslation("till");
  return (
    <fieldset className="till-choice">
      <legend>{t("reason")}</legend>
      {reasons.map((reason) => (
        <ActButton key={reason} size="small" aria-pressed={chosen === reason} onAct={() => onChoose(reason)}>
          {t(`reasons.${reason}`)}
        </ActButton>
      ))}
    </fieldset>
  );
}
