import type { Tender } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { HoldButton } from "../../components/hold-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { withTip } from "./tender.ts";

const reasons = ["wrongMethod", "wrongAmount", "guestChanged", "notReceived"] as const;

/** Takes a payment back with a reason, by a long press: money is returned. */
export function TakeBackSheet({
  tender,
  method,
  onTakeBack,
  onClose,
}: {
  tender: Tender;
  method: string;
  onTakeBack: (reason: string) => void;
  onClose: () => void;
}) {
  const { t, format } = useTranslation(["pay", "check"]);
  const [chosen, setChosen] = useState<(typeof reasons)[number] | null>(null);
  return (
    <Sheet title={t("takeBack")} onClose={onClose}>
      <div className="stack">
        <p>{t("takeBackWhat", { method, amount: format.money(withTip(tender)), name: tender.takenBy })}</p>
        <Choices
          aria-label={t("check:reason")}
          className="stack"
          of={reasons}
          chosen={chosen}
          text={(reason) => t(`reasons.${reason}`)}
          onChoose={setChosen}
        />
        <HoldButton
          disabled={chosen === null}
          onHeld={() => {
            if (chosen !== null) onTakeBack(t(`reasons.${chosen}`));
          }}
        >
          {t("holdToTakeBack")}
        </HoldButton>
      </div>
    </Sheet>
  );
}
