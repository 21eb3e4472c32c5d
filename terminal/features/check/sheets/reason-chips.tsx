import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { focusWhereLost } from "../../../lib/page/focus-where-lost.ts";
import { TypedChip } from "./typed-chip.tsx";

const usual = {
  void: ["mistake", "disliked", "out"],
  discount: ["courtesy", "complaint", "staff"],
  comp: ["birthday", "delay", "complaint", "guest"],
} as const;

/** The usual reasons, one tap each, and a field for another. */
export function ReasonChips({ of, onReason }: { of: keyof typeof usual; onReason: (reason: string) => void }) {
  const { t } = useTranslation("check");
  const [isTyped, setTyped] = useState(false);
  const chips = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isTyped) focusWhereLost(chips.current?.querySelector("input") ?? null);
  }, [isTyped]);
  return (
    <div ref={chips} className="check-chips">
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
