import { IconDoorExit, IconListCheck, IconRestore, IconSchool } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive } from "../../lib/connection/pos.ts";
import { leavePractice } from "../../practice/to-and-from-practice.ts";
import { useLasting } from "../../lib/page/use-lasting.ts";
import { useCareful } from "../../lib/connection/careful.tsx";
import { practiceTasks } from "./practice-tasks.ts";
import { PracticeTasksSheet } from "./practice-tasks-sheet.tsx";
import { useTaskMarks } from "./use-task-marks.ts";

/** How long the connection may be lost before the practice counts as over, in ms. */
const AWAY_MS = 4_000;

/** The bar over every screen of the practice: that nothing counts, the tasks, and the exit. */
export function PracticeBar({ onRestart }: { onRestart: () => void }) {
  const { t } = useTranslation("training");
  useCareful();
  const { name } = useLive("connection");
  const isOver = useLasting(name !== "online", AWAY_MS);
  const { marks, latest } = useTaskMarks();
  const [isListOpen, setListOpen] = useState(false);
  const status =
    latest === null
      ? t("nothingCounts")
      : t("done", { task: t(`task.${latest.task}.name`), taps: t("taps", { count: latest.taps }) });
  return (
    <section className="row practice-bar" aria-label={t("title")}>
      <IconSchool size={24} aria-hidden />
      <p role="status">{isOver ? t("over") : status}</p>
      {isOver ? (
        <Restart onAct={onRestart} />
      ) : (
        <ActButton size="small" onAct={() => setListOpen(true)}>
          <IconListCheck size={20} aria-hidden />
          {t("tasks", { done: marks.size, all: practiceTasks.length })}
        </ActButton>
      )}
      <ActButton size="small" onAct={leavePractice}>
        <IconDoorExit size={20} aria-hidden />
        {t("leave")}
      </ActButton>
      {isListOpen && (
        <PracticeTasksSheet marks={marks} onClose={() => setListOpen(false)}>
          <Restart onAct={onRestart} />
        </PracticeTasksSheet>
      )}
    </section>
  );
}

function Restart({ onAct }: { onAct: () => void }) {
  const { t } = useTranslation("training");
  return (
    <ActButton size="small" onAct={onAct}>
      <IconRestore size={20} aria-hidden />
      {t("beginAnew")}
    </ActButton>
  );
}
