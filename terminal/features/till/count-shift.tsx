import { fromCents } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { showNotice } from "../../lib/notices.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";
import { amountOfPieces, piecesOf, pieceValues, typePieces, type TypedPieces } from "./count-pieces.ts";
import { useFollowCount } from "./use-follow-count.ts";

/** What is typed into: a note or coin by its value, or the cash of another country. */
type Field = number | string;

/** Counts the drawer piece by piece. What there should be is shown nowhere. */
export function CountShift({ shiftId, onDone }: { shiftId: string; onDone: () => void }) {
  const { t } = useTranslation("till");
  const format = useFormat();
  const terminal = useTerminal();
  const menu = useLive("menu");
  const follow = useFollowCount();
  const [pieces, setPieces] = useState<TypedPieces>({});
  const [others, setOthers] = useState<Readonly<Record<string, string>>>({});
  const [field, setField] = useState<Field>(pieceValues[0]);
  const currencies = (menu?.currencies ?? []).map(({ code }) => code);
  const fields: Field[] = [...pieceValues, ...currencies];
  const total = amountOfPieces(pieces);
  const cashMethod = menu?.paymentMethods.find(({ type }) => type === "cash")?.id ?? "cash";

  function type(key: string): void {
    if (typeof field === "number") setPieces(typePieces(pieces, field, key));
    else setOthers({ ...others, [field]: typeAmount(others[field] ?? "", key) });
  }

  function goOn(): void {
    setField(fields[(fields.indexOf(field) + 1) % fields.length] ?? field);
  }

  function close(): void {
    const counted = [
      { methodId: cashMethod, amount: total, pieces: piecesOf(pieces) },
      ...currencies.map((currency) => {
        return { methodId: cashMethod, currency, amount: fromCents(typedCents(others[currency] ?? "")) };
      }),
    ];
    const mutation = attempt(() => terminal.countShift({ shiftId, counted }));
    if (mutation === null) return;
    if (terminal.connection().name !== "online") showNotice({ text: t("waits") });
    follow(mutation);
    onDone();
  }

  return (
    <section className="till-count" aria-label={t("countTitle")}>
      <p className="soft">{t("countHint")}</p>
      <fieldset className="till-pieces">
        <legend className="visually-hidden">{t("pieces")}</legend>
        {pieceValues.map((value) => (
          <button
            key={value}
            type="button"
            className="till-piece"
            aria-pressed={field === value}
            onClick={() => setField(value)}
          >
            <span>{format.number(value)}</span>
            <span className="soft">×</span>
            <strong>{pieces[value] === undefined || pieces[value] === "" ? "0" : pieces[value]}</strong>
          </button>
        ))}
        {currencies.map((currency) => (
          <button
            key={currency}
            type="button"
            className="till-piece"
            aria-pressed={field === currency}
            onClick={() => setField(currency)}
          >
            <span>{t("otherCash", { currency })}</span>
            <strong>{format.number(fromCents(typedCents(others[currency] ?? "")))}</strong>
          </button>
        ))}
      </fieldset>
      <div className="till-count-acts">
        <output className="till-amount money" aria-label={t("counted")}>
          {format.money(total)}
        </output>
        <Keypad hasPoint={typeof field === "string"} onKey={type} />
        <div className="till-row">
          <ActButton isRepeatable onAct={goOn}>
            {t("next")}
          </ActButton>
          <ActButton kind="main" onAct={close}>
            {t("close", { amount: format.money(total) })}
          </ActButton>
        </div>
      </div>
    </section>
  );
}
