import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Mark } from "@comanda/ui/mark.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../components/sheet.tsx";
import { practiceTasks } from "./practice-tasks.ts";
import type { TaskMarks } from "./use-task-marks.ts";

/** The tasks of a newcomer: how to do each, the fewest taps possible, and the user's best. */
export function PracticeTasksSheet({
  marks,
  onClose,
  children,
}: {
  marks: TaskMarks["marks"];
  onClose: () => void;
  /** Other acts of the practice. */
  children: ReactNode;
}) {
  const { t } = useTranslation("training");
  return (
    <Sheet title={t("tasksTitle")} onClose={onClose}>
      <div className="practice-tasks">
        <p className="soft">{t("tasksHint")}</p>
        <ul>
          {practiceTasks.map(({ name, taps: target }) => {
            const best = marks.get(name);
            return (
              <li key={name} data-done={best !== undefined || undefined}>
                {best === undefined ? <IconCircle aria-hidden /> : <IconCircleCheckFilled aria-hidden />}
                <strong>{t(`task.${name}.name`)}</strong>
                <span className="soft">{t(`task.${name}.how`)}</span>
                <span className="practice-taps">
                  {t("target", { taps: t("taps", { count: target }) })}
                  {best !== undefined && (
                    <Mark tone={best <= target ? "good" : "warn"}>
                      {t("best", { taps: t("taps", { count: best }) })}
                    </Mark>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
        {children}
      </div>
    </Sheet>
  );
}
