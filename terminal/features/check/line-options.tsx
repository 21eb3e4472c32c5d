import type { StoredLine } from "@comanda/protocol";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { choiceOf, isHeld, nameOf } from "../../checks/check-lines.ts";

/** For whom and when a line is, and the way to its choices while the kitchen has nothing of it. */
export function LineOptions({ line, onOpen }: { line: StoredLine; onOpen: (lineId: string) => void }) {
  const { t } = useTranslation("order");
  const { seat, course = 1 } = choiceOf(line);
  return (
    <span className="line-options">
      {seat !== undefined && <span className="mark">{t("guest", { seat })}</span>}
      {course > 1 && (
        <span className="mark" data-tone={isHeld(line) ? "accent" : undefined}>
          {isHeld(line) ? t("heldLine", { course }) : t("course", { course })}
        </span>
      )}
      {(line.sentQuantity ?? 0) === 0 && (
        <ActButton size="small" aria-label={t("change", { name: nameOf(line) })} onAct={() => onOpen(line.id)}>
          <IconAdjustmentsHorizontal size={20} aria-hidden />
        </ActButton>
      )}
    </span>
  );
}
