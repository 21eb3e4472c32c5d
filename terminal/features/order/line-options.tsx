import type { StoredLine } from "@comanda/protocol";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { choiceOf, isHeld, nameOf } from "./check-lines.ts";

/** Opens the choices of a line of the check that is shown; null where lines are only read. */
export const OpenLineContext = createContext<((lineId: string) => void) | null>(null);

/** For whom and when a line is, and the way to its choices while the kitchen has nothing of it. */
export function LineOptions({ line }: { line: StoredLine }) {
  const { t } = useTranslation("order");
  const openLine = useContext(OpenLineContext);
  const { seat, course = 1 } = choiceOf(line);
  const isOpen = openLine !== null && (line.sentQuantity ?? 0) === 0;
  return (
    <span className="line-options">
      {seat !== undefined && <span className="mark">{t("guest", { seat })}</span>}
      {course > 1 && (
        <span className="mark" data-tone={isHeld(line) ? "accent" : undefined}>
          {isHeld(line) ? t("heldLine", { course }) : t("course", { course })}
        </span>
      )}
      {isOpen && (
        <ActButton size="small" aria-label={t("change", { name: nameOf(line) })} onAct={() => openLine(line.id)}>
          <IconAdjustmentsHorizontal size={20} aria-hidden />
        </ActButton>
      )}
    </span>
  );
}
