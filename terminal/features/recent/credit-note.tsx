import type { CreditNoteAnswer } from "@comanda/protocol";
import { HubUnreachableError, TerminalRefusal } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { HoldButton } from "../../components/hold-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { creditNoteBar, creditNoteRefusal, type CreditNoteRefusal } from "./credit-note-words.ts";
import type { PaidCheck } from "../../checks/paid-checks.ts";

type Step = "ask" | "asking" | { note: CreditNoteAnswer } | { refused: CreditNoteRefusal };

/** Has the back-office credit a paid check; held, because money goes out. */
export function CreditNote({ check }: { check: PaidCheck }) {
  const { t } = useTranslation("recent");
  const format = useFormat();
  const { http } = useTerminal();
  const bar = creditNoteBar(useLive("signedIn"), useLive("actor"));
  const [step, setStep] = useState<Step | null>(null);
  const { posReference, snapshot } = check;

  const make = async (): Promise<void> => {
    setStep("asking");
    try {
      setStep({ note: await http.creditNote(posReference) });
    } catch (error) {
      if (!(error instanceof TerminalRefusal) && !(error instanceof HubUnreachableError)) throw error;
      setStep({ refused: creditNoteRefusal(error instanceof TerminalRefusal ? error.code : null) });
    }
  };

  return (
    <>
      <ActButton onAct={() => setStep("ask")}>{t("creditNote")}</ActButton>
      {step !== null && (
        <Sheet title={t("creditNote")} onClose={() => setStep(null)}>
          <div className="credit-note">
            {bar !== null && <output>{t(`creditNoteBars.${bar}`)}</output>}
            {bar === null && step === "ask" && (
              <>
                <p>
                  {t("creditNoteAbout", {
                    ncf: snapshot.ncf ?? t("noNumber"),
                    total: format.money(snapshot.totals.total),
                  })}
                </p>
                <HoldButton onHeld={() => void make()}>{t("holdToCredit")}</HoldButton>
              </>
            )}
            {step === "asking" && <output>{t("creditNoteAsking")}</output>}
            {typeof step === "object" && "note" in step && (
              <output data-tone="good">
                {t("creditNoteMade", { ncf: step.note.ncf, total: format.money(step.note.total) })}
              </output>
            )}
            {typeof step === "object" && "refused" in step && (
              <output data-tone="bad">{t(`creditNoteRefusals.${step.refused}`)}</output>
            )}
          </div>
        </Sheet>
      )}
    </>
  );
}
