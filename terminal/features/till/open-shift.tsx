import type { TillState } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { showNotice } from "../../lib/notices.ts";
import { useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";

/** Opens a shift with the float that was counted. */
export function OpenShift({ till }: { till: TillState }) {
  const { t } = useTranslation("till");
  const format = useFormat();
  const terminal = useTerminal();
  const [typed, setTyped] = useState("");
  const float = fromCents(typedCents(typed));
  const amount = format.money(float);

  function open(): void {
    if (attempt(() => terminal.openShift(till.id, float)) !== null) showNotice({ text: t("opened", { amount }) });
  }

  return (
    <section className="till-open" aria-label={t("openTitle")}>
      <p>{t("openHint")}</p>
      <output className="till-amount money">{amount}</output>
      <Keypad hasPoint onKey={(key) => setTyped(typeAmount(typed, key))} />
      <ActButton kind="main" onAct={open}>
        {t("openWith", { amount })}
      </ActButton>
    </section>
  );
}
