import { fromCents } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useFormDraft } from "../../lib/page/form-draft.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { followAct } from "./follow-act.ts";

export type MoveKind = "in" | "out" | "drop";
type Reason = "change" | "supplier" | "tips" | "safe" | "bank" | "other";

/** The first reason is the usual one, and selected at first. */
const reasons: Readonly<Record<MoveKind, readonly Reason[]>> = {
  drop: ["safe", "bank"],
  in: ["change", "other"],
  out: ["supplier", "tips", "other"],
};

/** Moves cash into or out of the drawer, apart from sales. */
export function MoveSheet({ kind, shiftId, onClose }: { kind: MoveKind; shiftId: string; onClose: () => void }) {
  const { t, format } = useTranslation(["till", "check"]);
  const terminal = useTerminal();
  const people = useLive("people");
  const [{ typed, reason, userName }, change] = useFormDraft(`${kind} ${shiftId}`, () => ({
    typed: "",
    reason: reasons[kind][0] ?? "other",
    userName: null as string | null,
  }));
  const value = fromCents(typedCents(typed));
  const amount = format.money(value);
  const isForTips = reason === "tips";

  function save(): void {
    const tips = isForTips ? { cause: "tips" as const, ...(userName !== null && { userName }) } : {};
    const move = { shiftId, kind, amount: value, reason: t(`reasons.${reason}`), ...tips };
    const moved = attempt(() => terminal.moveCash(move));
    if (moved === null) return;
    void followAct(terminal, moved, t("moved", { what: t(kind), amount }));
    onClose();
  }

  return (
    <Sheet title={t(`${kind}Title`)} onClose={onClose}>
      <div className="stack">
        <output className="till-amount money">{amount}</output>
        <Choices
          legend={t("check:reason")}
          of={reasons[kind]}
          chosen={reason}
          text={(each) => t(`reasons.${each}`)}
          onChoose={(each) => change({ reason: each })}
          size="small"
        />
        {isForTips && people.length > 0 && (
          <Choices
            legend={t("owner")}
            of={[...new Set(people.map(({ name }) => name))]}
            chosen={userName}
            onChoose={(name) => change({ userName: userName === name ? null : name })}
            size="small"
          />
        )}
        <Keypad hasPoint onKey={(key) => change({ typed: typeAmount(typed, key) })} />
        <ActButton kind="main" disabled={value <= 0} onAct={save}>
          {t("save", { amount })}
        </ActButton>
      </div>
    </Sheet>
  );
}
