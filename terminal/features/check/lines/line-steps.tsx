import type { StoredLine } from "@comanda/protocol";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dishName } from "../../../checks/check-lines.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { Counter } from "../../../components/counter.tsx";

/** Changes the quantity of a line, and its choices while nothing of it was sent. */
export function LineSteps({
  line,
  onQuantity,
  onOpen,
}: {
  line: StoredLine;
  onQuantity: (lineId: string, quantity: number) => void;
  onOpen: (lineId: string) => void;
}) {
  const { t, format } = useTranslation("check");
  const { id, quantity, sentQuantity = 0 } = line;
  const name = dishName(line, useMenu());
  return (
    <div className="row line-steps">
      {sentQuantity === 0 && (
        <ActButton size="small" className="line-change" aria-label={t("change", { name })} onAct={() => onOpen(id)}>
          <IconAdjustmentsHorizontal size={20} aria-hidden />
          {t("changeShort")}
        </ActButton>
      )}
      <Counter
        value={quantity}
        shown={format.number(quantity)}
        less={t("less", { name })}
        more={t("more", { name })}
        // What was sent can only be voided.
        min={sentQuantity}
        onValue={(next) => onQuantity(id, next)}
      />
    </div>
  );
}
