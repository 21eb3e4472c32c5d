import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { CountFields } from "./count-fields.tsx";
import { useCount } from "./use-count.ts";
import { followCount } from "./follow-count.ts";

/** Counts the drawer: cash by pieces, foreign cash and card slips by amount. Expected amounts are never shown. */
export function CountShift({ shiftId, onDone }: { shiftId: string; onDone: () => void }) {
  const { t, format } = useTranslation(["till", "kitchen"]);
  const terminal = useTerminal();
  const count = useCount(shiftId, useLive("menu"));
  const { field, total, note, setNote } = count;

  function close(): void {
    const details = note.trim() === "" ? {} : { note: note.trim() };
    const mutation = attempt(() => terminal.countShift({ shiftId, counted: count.counted(), ...details }));
    if (mutation === null) return;
    if (terminal.connection().name !== "online") showNotice({ text: t("waits") });
    void followCount(terminal, shiftId, mutation, count.take());
    onDone();
  }

  return (
    <section className="till-count" aria-label={t("countTitle")}>
      <p className="soft">{t("countHint")}</p>
      <div className="till-fields">
        <CountFields count={count} />
        <TextField label={t("note")} value={note} maxLength={200} onValue={setNote} />
      </div>
      <div className="stack till-count-acts">
        <output className="till-amount money" aria-label={t("counted")}>
          {format.money(total)}
        </output>
        <Keypad hasPoint={typeof field === "object"} onKey={count.type} />
        <div className="till-row">
          <ActButton isRepeatable onAct={count.goOn}>
            {t("kitchen:next")}
          </ActButton>
          <ActButton kind="main" onAct={close}>
            {t("close", { amount: format.money(total) })}
          </ActButton>
        </div>
      </div>
    </section>
  );
}
