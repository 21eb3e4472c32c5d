import type { TillState } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useFormDraft } from "../../lib/page/form-draft.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { followAct } from "./follow-act.ts";

/** Stands for pesos among the currencies of a float. */
const PESOS = "";

/** Opens a shift with the counted float, in pesos and in the foreign currencies taken. */
export function OpenShift({ till }: { till: TillState }) {
  const { t, format } = useTranslation("till");
  const moneyIn = useForeignMoney();
  const terminal = useTerminal();
  const currencies = (useLive("menu")?.currencies ?? []).map(({ code }) => code);
  const [typed, change] = useFormDraft<Readonly<Record<string, string>>>(`float ${till.id}`, () => ({}));
  const [into, setInto] = useState(PESOS);
  const amountOf = (currency: string): number => fromCents(typedCents(typed[currency] ?? ""));
  const shown = (currency: string): string =>
    currency === PESOS ? format.money(amountOf(PESOS)) : moneyIn(currency).format(amountOf(currency));
  const floats = currencies.flatMap((currency) =>
    amountOf(currency) > 0 ? [{ currency, amount: amountOf(currency) }] : [],
  );
  const amount = format.list([PESOS, ...floats.map(({ currency }) => currency)].map(shown));

  function open(): void {
    const opened = attempt(() =>
      terminal.openShift(till.id, amountOf(PESOS), floats.length === 0 ? undefined : floats),
    );
    if (opened !== null) void followAct(terminal, opened, t("opened", { amount }));
  }

  return (
    <section className="stack till-open" aria-label={t("openTitle")}>
      <p>{t("openHint")}</p>
      <output className="till-amount money">{shown(into)}</output>
      {currencies.length > 0 && (
        <Choices
          aria-label={t("currencies")}
          of={[PESOS, ...currencies]}
          chosen={into}
          text={shown}
          onChoose={setInto}
          size="small"
        />
      )}
      <Keypad hasPoint onKey={(key) => change({ [into]: typeAmount(typed[into] ?? "", key) })} />
      <ActButton kind="main" onAct={open}>
        {t("openWith", { amount })}
      </ActButton>
    </section>
  );
}
