import { subtract, sum } from "@comanda/rules";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

/** A number that is changed by ones, each tap counting. */
export function Stepper({
  label,
  value,
  shown = String(value),
  most,
  onValue,
}: {
  label: string;
  value: number;
  /** In words, where the number alone says too little. */
  shown?: string;
  most: number;
  onValue: (value: number) => void;
}) {
  const { t } = useTranslation("check");
  return (
    <fieldset className="stepper" aria-label={label}>
      <span>{label}</span>
      <ActButton
        size="small"
        isRepeatable
        aria-label={t("oneLess")}
        disabled={value <= 1}
        onAct={() => onValue(subtract(value, 1))}
      >
        <IconMinus size={20} aria-hidden />
      </ActButton>
      <strong aria-live="polite">{shown}</strong>
      <ActButton
        size="small"
        isRepeatable
        aria-label={t("oneMore")}
        disabled={value >= most}
        onAct={() => onValue(sum([value, 1]))}
      >
        <IconPlus size={20} aria-hidden />
      </ActButton>
    </fieldset>
  );
}
