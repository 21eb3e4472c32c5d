import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { TypedChip } from "./typed-chip.tsx";

const usual = {
  void: ["mistake", "disliked", "out"],
  discount: ["courtesy", "complaint", "staff"],
  comp: ["birthday", "delay", "complaint", "guest"],
} as const;

/** The usual reasons, each one tap, and a field for another. */
export function ReasonChips({ of, onReason }: { of: keyof typeof usual; onReason: (reason: string) => void }) {
  const { t } = useTranslation("check");
  const [isTyped, setTyped] = useState(false);
  return (
    <div className="check-chips">
      {usual[of].map((reason) => (
        <ActButton key={reason} onAct={() => onReason(t(`reasons.${reason}`))}>
          {t(`reasons.${reason}`)}
        </ActButton>
      ))}
      {isTyped ? (
        <TypedChip
          label={t("reason")}
          maxLength={200}
          give={t("ok")}
          read={(typed) => typed.trim() || null}
          onGive={onReason}
        />
      ) : (
        <ActButton onAct={() => setTyped(true)}>{t("reasons.other")}</ActButton>
      )}
    </div>
  );
}
