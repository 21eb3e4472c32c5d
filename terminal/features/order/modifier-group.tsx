import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { ModifierChoice } from "./modifier-choices.ts";

/** One choice of a dish, with what it costs more. */
export function ModifierGroup({
  group,
  chosen,
  onTap,
}: {
  group: ModifierChoice;
  chosen: ReadonlySet<number>;
  onTap: (id: number) => void;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  return (
    <section aria-label={group.name ?? t("extras")}>
      <h2 className="choice-title">
        {group.name ?? t("extras")}
        {group.min > 0 && <span className="mark">{t("chooseMin", { count: group.min })}</span>}
      </h2>
      <div className="chips">
        {group.modifiers.map((modifier) => (
          <button
            key={modifier.id}
            type="button"
            className="act"
            data-size="small"
            aria-pressed={chosen.has(modifier.id)}
            onClick={() => onTap(modifier.id)}
          >
            {modifier.name}
            {modifier.price !== 0 && <span className="act-more">+{format.price(modifier.price)}</span>}
          </button>
        ))}
      </div>
    </section>
  );
}
