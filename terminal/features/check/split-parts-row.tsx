import { useFormat } from "@comanda/ui/format.ts";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { SplitPreview } from "./use-split.ts";

const MOST_PARTS = 12;

/** The parts of a split with what each comes to; the pressed one gets the line that is tapped next. */
export function SplitPartsRow({ split }: { split: SplitPreview }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const { parts, part, setPart, totalOf, addPart, splitSeats } = split;
  return (
    <fieldset className="split-parts" aria-label={t("parts")}>
      {Array.from({ length: parts }, (_, index) => (
        <button
          key={index}
          type="button"
          className="act"
          data-size="small"
          aria-pressed={index === part}
          onClick={() => setPart(index)}
        >
          {t("part", { number: index + 1 })} · {format.money(totalOf(index))}
        </button>
      ))}
      <ActButton size="small" aria-label={t("anotherPart")} disabled={parts >= MOST_PARTS} onAct={addPart}>
        <IconPlus size={22} aria-hidden />
      </ActButton>
      {splitSeats !== null && (
        <ActButton size="small" onAct={splitSeats}>
          {t("bySeats")}
        </ActButton>
      )}
    </fieldset>
  );
}
