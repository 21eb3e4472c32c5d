import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { TextField } from "../../../components/text-field.tsx";

const usual = {
  void: ["mistake", "disliked", "out"],
  discount: ["courtesy", "complaint", "staff"],
  comp: ["birthday", "delay", "complaint", "guest"],
} as const;

/** The usual reasons, each one tap, and a field for another. */
export function ReasonChips({ of, onReason }: { of: keyof typeof usual; onReason: (reason: string) => void }) {
  const { t } = useTranslation("check");
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div className="check-chips">
      {usual[of].map((reason) => (
        <ActButton key={reason} onAct={() => onReason(t(`reasons.${reason}`))}>
          {t(`reasons.${reason}`)}
        </ActButton>
      ))}
      {typed === null ? (
        <ActButton onAct={() => setTyped("")}>{t("reasons.other")}</ActButton>
      ) : (
        <form
          className="check-chips-typed"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== "") onReason(typed.trim());
          }}
        >
          <TextField label={t("reason")} value={typed} maxLength={200} onValue={setTyped} />
          <button type="submit" className="act" data-kind="main" disabled={typed.trim() === ""}>
            {t("ok")}
          </button>
        </form>
      )}
    </div>
  );
}
