import type { TicketLine } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { modifierNames } from "@comanda/rules";
import { notesOf } from "./ticket-facts.ts";

/** The wishes for a dish: modifiers, allergy and notes. */
export function DishWishes({ line }: { line: TicketLine }) {
  const { t } = useTranslation("kitchen");
  const { allergy } = line;
  return (
    <>
      {modifierNames(line.modifiers).map((modifier, index) => (
        <span key={index} className="kline-modifier">
          {modifier}
        </span>
      ))}
      {allergy != null && allergy !== "" && <span className="kline-allergy">{t("allergy", { what: allergy })}</span>}
      {notesOf(line).map((note) => (
        <span key={note} className="kline-note">
          «{note}»
        </span>
      ))}
    </>
  );
}
