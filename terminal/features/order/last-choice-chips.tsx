import type { BackOfficeProduct } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Choice } from "../../checks/check-lines.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { lastChoicesOf } from "./kept-choices.ts";

/** How this device asked for the dish before: one tap asks for it like that again. */
export function LastChoiceChips({
  product,
  onChosen,
}: {
  product: BackOfficeProduct;
  onChosen: (choice: Pick<Choice, "modifiers" | "note">) => void;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  const [choices] = useState(() => lastChoicesOf(product));
  if (choices.length === 0) return null;
  return (
    <section aria-label={t("asBefore")}>
      <h2 className="choice-title">{t("asBefore")}</h2>
      <div className="chips">
        {choices.map((choice) => {
          const names = [...choice.modifiers.map(({ name }) => name), choice.note].filter(Boolean).join(", ");
          const extra = sum(choice.modifiers.map(({ price }) => price));
          return (
            <ActButton key={names} size="small" className="last-choice" onAct={() => onChosen(choice)}>
              {names}
              {extra !== 0 && <span className="act-more">+{format.price(extra)}</span>}
            </ActButton>
          );
        })}
      </div>
    </section>
  );
}
