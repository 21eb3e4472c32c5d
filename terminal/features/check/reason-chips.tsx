import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

/** The usual reasons, each one tap, and a field for another. */
export function ReasonChips({ of, onReason }: { of: "void" | "discount"; onReason: (reason: string) => void }) {
  const { t } = useTranslation("check");
  const [typed, setTyped] = useState<string | null>(null);
  const usual =
    of === "void" ? (["mistake", "disliked", "out"] as const) : (["courtesy", "complaint", "staff"] as const);
  return (
    <div className="check-chips">
      {usual.map((reason) => (
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
          <label className="field">
            <span>{t("reason")}</span>
            <input value={typed} maxLength={200} onChange={(event) => setTyped(event.currentTarget.value)} />
          </label>
          <button type="submit" className="act" data-kind="main" disabled={typed.trim() === ""}>
            {t("ok")}
          </button>
        </form>
      )}
    </div>
  );
}
