import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useLive, usePos } from "../../lib/connection/pos.ts";
import { readSaved, save } from "../../lib/device/saved.ts";
import { signedInByForm } from "../../lib/device/signed-in-by-form.ts";
import { NewPin } from "./new-pin.tsx";
import "./person.css";

const OFFERED_KEY = "comanda-terminal-pin-asked";

/** Offers a PIN once per device to a user who signed in with the password and has none. */
export function PinOffer() {
  const { t } = useTranslation(["person", "staff"]);
  const { people, refreshPeople } = usePos();
  const id = useStore(signedInByForm);
  const signedIn = useLive("signedIn");
  const [step, setStep] = useState<"unknown" | "offer" | "setting">("unknown");
  const isHere = signedIn !== null && String(signedIn.user.id) === String(id);

  useEffect(() => {
    if (!isHere) return;
    if (offeredHere().includes(String(id))) return signedInByForm.set(null);
    let isCancelled = false;
    refreshPeople().then(
      () => {
        if (isCancelled) return;
        const hasPin = people.get().some((each) => String(each.id) === String(id));
        if (hasPin) signedInByForm.set(null);
        else setStep("offer");
      },
      // If the hub does not answer, no PIN is offered.
      () => signedInByForm.set(null),
    );
    return () => {
      isCancelled = true;
    };
  }, [id, isHere, people, refreshPeople]);

  if (step === "unknown" || !isHere) return null;
  function close(): void {
    save(OFFERED_KEY, [...new Set([...offeredHere(), String(id)])]);
    signedInByForm.set(null);
  }
  if (step === "setting") {
    return (
      <Sheet title={t("views.newPin")} onClose={close}>
        <NewPin onDone={close} />
      </Sheet>
    );
  }
  return (
    <Sheet title={t("pinOffer.title")} onClose={close}>
      <div className="stack low pin-offer">
        <p>{t("pinOffer.about")}</p>
        <ActButton kind="main" onAct={() => setStep("setting")}>
          {t("pinOffer.set")}
        </ActButton>
        <ActButton kind="quiet" onAct={close}>
          {t("pinOffer.notNow")}
        </ActButton>
      </div>
    </Sheet>
  );
}

/** Returns the users to whom a PIN was offered on this device. */
function offeredHere(): string[] {
  return readSaved(OFFERED_KEY, isIds) ?? [];
}

function isIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
