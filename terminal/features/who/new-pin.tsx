import { fewestPinDigits } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showNotice } from "../../lib/notices.ts";
import { useLive, usePos } from "../../lib/pos.ts";
import { failureText } from "../../lib/show-refusal.ts";
import { PinKeys } from "./pin-keys.tsx";

/** The PIN of whoever signed in here with an account, typed twice. */
export function NewPin({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("person");
  const { terminal, refreshPeople } = usePos();
  const isManager = useLive("signedIn")?.user.role === "manager";
  const [first, setFirst] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);

  async function set(pin: string): Promise<void> {
    setBusy(true);
    try {
      await terminal.http.setPin(pin);
      await refreshPeople();
      showNotice({ text: t("newPin.done") });
      onDone();
    } catch (error) {
      setFailed(failureText(error));
      setFirst(null);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="pin">
      <p className="soft">{isManager ? t("newPin.aboutManager") : t("newPin.about")}</p>
      <div className="pin-lower">
        <p className="pin-hint" role={failed === null ? undefined : "alert"} data-failed={failed !== null || undefined}>
          {failed ?? (first === null ? t("newPin.first") : t("newPin.again"))}
        </p>
        <PinKeys
          fewest={fewestPinDigits(isManager ? "manager" : "waiter")}
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
