import { subtract, sum } from "@comanda/rules";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";

interface CounterProps extends Pick<ComponentProps<typeof ActButton>, "size"> {
  value: number;
  /** The formatted value. */
  shown: string;
  /** Labels of the value and its buttons, if not shown beside them. */
  label?: string;
  less?: string;
  more?: string;
  min?: number;
  max?: number;
  onValue: (value: number) => void;
}

/** A number changed in steps of one; quick taps all count. */
export function Counter({
  value,
  shown,
  label,
  less,
  more,
  min = 1,
  max = Infinity,
  size = "small",
  onValue,
}: CounterProps) {
  const { t } = useTranslation("order");
  const iconSize = size === "small" ? 20 : 22;
  const look = { size, isRepeatable: true };
  return (
    <>
      <ActButton
        {...look}
        aria-label={less ?? t("oneLess")}
        disabled={value <= min}
        onAct={() => onValue(subtract(value, 1))}
      >
        <IconMinus size={iconSize} aria-hidden />
      </ActButton>
      <output aria-label={label}>{shown}</output>
      <ActButton
        {...look}
        aria-label={more ?? t("oneMore")}
        disabled={value >= max}
        onAct={() => onValue(sum([value, 1]))}
      >
        <IconPlus size={iconSize} aria-hidden />
      </ActButton>
    </>
  );
}
