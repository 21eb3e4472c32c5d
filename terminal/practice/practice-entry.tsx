import { IconSchool } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { usePos } from "../lib/connection/pos.ts";
import { canPractise, goToPractice } from "./to-and-from-practice.ts";
import { useCheckTitles } from "../lib/labels/check-title.ts";
import { waitingWork, type WaitingWork } from "../lib/connection/waiting-work.ts";

/** The button to the practice. First warns if unsent changes stay on the device meanwhile. */
export function PracticeEntry() {
  const { t } = useTranslation("training");
  const { terminal, isPersistent } = usePos();
  const titleOf = useCheckTitles();
  const [waiting, setWaiting] = useState<WaitingWork | null>(null);
  if (!canPractise()) return null;
  // Leaving the page would lose the changes.
  const isAtRisk = waiting !== null && (!isPersistent || terminal.outbox().unsaved > 0);

  function enter(): void {
    const work = waitingWork(terminal, titleOf);
    if (work === null) goToPractice();
    else setWaiting(work);
  }

  return (
    <>
      <ActButton onAct={enter}>
        <IconSchool size={22} aria-hidden />
        {t("practise")}
      </ActButton>
      {waiting !== null && (
        <p role="alert" className="practice-waits">
          {t(isAtRisk ? "waitsAtRisk" : "waits", { count: waiting.count, where: waiting.where.join(", ") })}
        </p>
      )}
      {waiting !== null && !isAtRisk && (
        <ActButton kind="main" onAct={goToPractice}>
          {t("practiseAnyway")}
        </ActButton>
      )}
    </>
  );
}
