import { minPinDigits } from "@comanda/protocol";
import { TerminalRefusal } from "@comanda/terminal";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Failure } from "../../components/failure.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { formText } from "../../lib/page/form-text.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, usePos } from "../../lib/connection/pos.ts";
import { failureText } from "../../lib/page/show-refusal.ts";
import { PinKeys } from "./pin-keys.tsx";

/** Sets the PIN of the signed-in account, typed twice; asks for the password if the sign-in was some time ago. */
export function NewPin({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(["person", "signIn"]);
  const { terminal, refreshPeople } = usePos();
  const isManager = useLive("signedIn")?.user.role === "manager";
  const [first, setFirst] = useState<string | null>(null);
  /** The new PIN while the password is asked for. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);

  async function set(pin: string, password?: string): Promise<void> {
    setBusy(true);
    try {
      await terminal.http.setPin(pin, password);
      await refreshPeople();
      showNotice({ text: t("newPin.done") });
      onDone();
    } catch (error) {
      if (error instanceof TerminalRefusal && error.code === "CONFIRMATION_NEEDED") {
        setChosen(pin);
        setFailed(password === undefined ? null : t("newPin.wrongPassword"));
      } else {
        setFailed(failureText(error));
        setFirst(null);
        setChosen(null);
      }
    } finally {
      setBusy(false);
    }
  }

  if (chosen !== null) {
    return (
      <form action={(form: FormData) => set(chosen, formText(form, "password"))} className="gate-form">
        <p className="soft">{t("newPin.aboutPassword")}</p>
        <TextField label={t("signIn:password")} name="password" type="password" required maxLength={256} />
        <Failure text={failed} />
        <SubmitButton data-kind="main">{t("newPin.save")}</SubmitButton>
      </form>
    );
  }

  return (
    <div className="stack pin">
      <p className="soft">{isManager ? t("newPin.aboutManager") : t("newPin.about")}</p>
      <div className="rows pin-lower">
        <p className="pin-hint" role={failed === null ? undefined : "alert"} data-failed={failed !== null || undefined}>
          {failed ?? (first === null ? t("newPin.first") : t("newPin.again"))}
        </p>
        <PinKeys
          minDigits={minPinDigits(isManager ? "manager" : "waiter")}
          isBusy={isBusy}
          onPin={(pin) => {
            setFailed(null);
            if (first === null) return setFirst(pin);
            if (first === pin) return void set(pin);
            setFailed(t("newPin.differs"));
            setFirst(null);
          }}
        />
      </div>
    </div>
  );
}
