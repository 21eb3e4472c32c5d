import type { Tender } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { HoldButton } from "../../components/hold-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { withTip } from "./tender.ts";
import type { Payment } from "./use-payment.ts";

const reasons = ["wrongMethod", "wrongAmount", "guestChanged", "notReceived"] as const;

/** Takes a payment back with a reason, by a long press: money is returned. */
export function TakeBackSheet({ payment, tender, menu }: { payment: Payment; tender: Tender; menu: MenuIndex }) {
  const { t, format } = useTranslation(["pay", "check"]);
  const { setSheet, takeBack } = payment;
  const method = methodName(menu, tender.methodId);
  const close = (): void => setSheet(null);
  const [chosen, setChosen] = useState<(typeof reasons)[number] | null>(null);
  return (
    <Sheet title={t("takeBack")} onClose={close}>
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
            if (chosen === null) return;
            close();
            void takeBack(tender.tenderId, withTip(tender), t(`reasons.${chosen}`));
          }}
        >
          {t("holdToTakeBack")}
        </HoldButton>
      </div>
    </Sheet>
  );
}
