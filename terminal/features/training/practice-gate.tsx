import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Failure } from "../../components/failure.tsx";
import type { LiveTerminal } from "../../lib/connection/live-terminal.ts";
import { PosContext } from "../../lib/connection/pos.ts";
import { leavePractice } from "../../practice/to-and-from-practice.ts";
import { failureText } from "../../lib/page/show-refusal.ts";
import { openPractice, resetPractice } from "./open-practice.ts";
import { PracticeBar } from "./practice-bar.tsx";
import "./training.css";

type Opening = { state: "opening" } | { state: "failed"; why: string } | { state: "open"; pos: LiveTerminal };

/** Shows the screens on the practice hub, in sand colour, with a bar that says so. */
export function PracticeGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation("training");
  const [opening, setOpening] = useState<Opening>({ state: "opening" });
  const [round, setRound] = useState({ isNew: false });
  const [, go] = useLocation();
  useEffect(() => {
    document.documentElement.dataset["practice"] = "";
  }, []);
  useEffect(() => {
    let isCancelled = false;
    let pos: LiveTerminal | null = null;
    async function open(): Promise<void> {
      if (round.isNew) await resetPractice();
      pos = await openPractice();
      if (isCancelled) await pos.terminal.stop();
      else setOpening({ state: "open", pos });
    }
    open().catch((error: unknown) => {
      if (!isCancelled) setOpening({ state: "failed", why: failureText(error) });
    });
    return () => {
      isCancelled = true;
      void pos?.terminal.stop();
    };
  }, [round]);

  function begin(isNew: boolean): void {
    setOpening({ state: "opening" });
    setRound({ isNew });
    go("/");
  }

  if (opening.state === "open") {
    return (
      <PosContext value={opening.pos}>
        <div className="practice">
          <PracticeBar onRestart={() => begin(true)} />
          <div className="practice-screens">{children}</div>
        </div>
      </PosContext>
    );
  }
  return (
    <main className="gate">
      <h1>{t("title")}</h1>
      {opening.state === "opening" ? (
        <output>{t("opening")}</output>
      ) : (
        <>
          <Failure text={opening.why} />
          <ActButton kind="main" onAct={() => begin(false)}>
            {t("tryAgain")}
          </ActButton>
        </>
      )}
      <ActButton onAct={leavePractice}>{t("leave")}</ActButton>
    </main>
  );
}
