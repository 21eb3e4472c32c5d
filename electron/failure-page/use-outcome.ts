import type { SaveResult } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";

/** Runs one action at a time and shows its outcome. */
export function useOutcome() {
  const { t } = useTranslation("failure");
  const [outcome, setOutcome] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function perform(act: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setOutcome(t("working"));
    try {
      setOutcome(outcomeOf(await act()));
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  }

  /** Returns an action's result as text: a sentence, an error, or empty if the page shows the result itself. */
  function outcomeOf(result: unknown): string {
    if (typeof result === "string") return result;
    const refused = result as Partial<SaveResult> | undefined;
    if (refused?.ok !== false) return "";
    const error = refused.error ?? "";
    return refused.code === undefined ? error : `${t(`refused.${refused.code}`)} (${error})`;
  }

  return { outcome, isBusy, setOutcome, run: (act: () => Promise<unknown>): void => void perform(act) };
}

export type Outcome = Pick<ReturnType<typeof useOutcome>, "run" | "setOutcome">;
