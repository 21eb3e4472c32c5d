import { useTranslation } from "@comanda/ui/translation.ts";
import { type ReactNode, useEffect, useRef } from "react";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";
import { pieceValues } from "./count-pieces.ts";
import type { AmountField, ShiftCount } from "./use-count.ts";

/** The fields of a count; a tap selects the field to type into. */
export function CountFields({ count }: { count: ShiftCount }) {
  const { t, format } = useTranslation("till");
  const moneyIn = useForeignMoney();
  const { field, amounts, amountOf, piecesOf, choose } = count;
  const shown = (each: AmountField): string =>
    each.currency === undefined ? format.money(amountOf(each)) : moneyIn(each.currency).format(amountOf(each));
  const nameOf = ({ currency, name, isCash }: AmountField): string =>
    currency !== undefined ? t("otherCash", { currency: name }) : isCash ? name : t("slips", { name });
  return (
    <>
      <fieldset className="till-pieces">
        <legend className="visually-hidden">{t("pieces")}</legend>
        {pieceValues.map((value) => (
          <Field key={value} isChosen={field === value} onChoose={() => choose(value)}>
            <span>{format.number(value)}</span>
            <span className="soft">×</span>
            <strong>{piecesOf(value) === "" ? "0" : piecesOf(value)}</strong>
          </Field>
        ))}
      </fieldset>
      {amounts.length > 0 && (
        <fieldset className="till-amounts">
          <legend>{t("others")}</legend>
          {amounts.map((each) => (
            <Field
              key={each.key}
              isChosen={typeof field === "object" && field.key === each.key}
              onChoose={() => choose(each)}
            >
              <span>{nameOf(each)}</span>
              <strong>{shown(each)}</strong>
            </Field>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** On a phone the keypad covers part of the fields, so the selected one is scrolled into view. */
function Field({ isChosen, onChoose, children }: { isChosen: boolean; onChoose: () => void; children: ReactNode }) {
  const field = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) field.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <button ref={field} type="button" className="row till-piece" aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  );
}
