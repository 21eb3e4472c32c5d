import type { CountedMethod, ForeignCurrency, PaymentMethod, UncountedMethod } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { useState } from "react";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { amountOfPieces, piecesOf, pieceValues, typePieces, type TypedPieces } from "./count-pieces.ts";

interface Menu {
  paymentMethods: readonly Pick<PaymentMethod, "id" | "name" | "type">[];
  currencies?: readonly Pick<ForeignCurrency, "code">[] | undefined;
}

/** What is counted as an amount beside the pieces: the cash of a country or of another method, or the slips of cards. */
export interface AmountField extends Pick<CountedMethod, "methodId" | "currency"> {
  key: string;
  name: string;
  /** It is part of every count, with nothing where nothing is typed. */
  isCash: boolean;
}

/** What is typed into: a note or coin by its value, or an amount. */
export type CountField = number | AmountField;

export type ShiftCount = ReturnType<typeof useCount>;

/** What was typed of a count and is not sent yet. */
export interface CountDraft {
  pieces: TypedPieces;
  /** By the key of an amount. */
  typed: Readonly<Record<string, string>>;
  note: string;
}

const empty: CountDraft = { pieces: {}, typed: {}, note: "" };

/** By shift: kept while the page lives, so that looking at another screen loses nothing of a drawer that is half counted. */
const drafts = new Map<string, CountDraft>();

/** By shift: what the hub has asked for in a count and the menu does not have (any more). */
const askedFor = new Map<string, readonly UncountedMethod[]>();

/** A count that was sent is to be completed: it is as it was typed, with what was missing among its fields. */
export function askFor(
  shiftId: string,
  { draft, uncounted }: { draft: CountDraft; uncounted: UncountedMethod[] },
): void {
  drafts.set(shiftId, draft);
  askedFor.set(shiftId, [...(askedFor.get(shiftId) ?? []), ...uncounted]);
}

/** A count as it is typed. */
export function useCount(shiftId: string, menu: Menu | null) {
  const [draft, setDraft] = useState(() => drafts.get(shiftId) ?? empty);
  const { pieces, typed, note } = draft;
  const change = (next: Partial<CountDraft>) => {
    const changed = { ...draft, ...next };
    drafts.set(shiftId, changed);
    setDraft(changed);
  };
  const [at, setAt] = useState(0);
  const methods = menu?.paymentMethods ?? [];
  const cashMethod = methods.find(({ type }) => type === "cash")?.id ?? "cash";
  const amounts = amountFields(menu, cashMethod, askedFor.get(shiftId) ?? []);
  const fields: CountField[] = [...pieceValues, ...amounts];
  const field = fields[at] ?? pieceValues[0];
  const amountOf = ({ key }: AmountField): number => fromCents(typedCents(typed[key] ?? ""));
  const total = amountOfPieces(pieces);

  return {
    amounts,
    field,
    /** How many of a note or coin, as it was typed. */
    piecesOf: (value: number): string => pieces[value] ?? "",
    amountOf,
    /** Of the pieces, in pesos. */
    total,
    note,
    setNote: (next: string) => change({ note: next }),
    choose: (next: CountField) => setAt(fields.findIndex((each) => keyOf(each) === keyOf(next))),
    goOn: () => setAt((at + 1) % fields.length),

    type(key: string): void {
      if (typeof field === "number") change({ pieces: typePieces(pieces, field, key) });
      else change({ typed: { ...typed, [field.key]: typeAmount(typed[field.key] ?? "", key) } });
    },

    /** It is sent: the next count of the shift begins with nothing. */
    take(): CountDraft {
      drafts.delete(shiftId);
      return draft;
    },

    /** All cash, and of the rest what was typed. */
    counted(): CountedMethod[] {
      const others = amounts.flatMap((each): CountedMethod[] => {
        const { methodId, currency, isCash, key } = each;
        if (!isCash && (typed[key] ?? "") === "") return [];
        return [{ methodId, ...(currency !== undefined && { currency }), amount: amountOf(each) }];
      });
      return [{ methodId: cashMethod, amount: total, pieces: piecesOf(pieces) }, ...others];
    },
  };
}

function amountFields(
  menu: Menu | null,
  cashMethod: CountedMethod["methodId"],
  asked: readonly UncountedMethod[],
): AmountField[] {
  const currencies = (menu?.currencies ?? []).map(({ code: currency }): AmountField => {
    return { key: `in ${currency}`, methodId: cashMethod, currency, name: currency, isCash: true };
  });
  const methods = (menu?.paymentMethods ?? []).flatMap(({ id, name, type }): AmountField[] => {
    // Nothing of what is owed lies in a drawer.
    if (type === "pay_later" || id === cashMethod) return [];
    return [{ key: `by ${id}`, methodId: id, name, isCash: type === "cash" }];
  });
  const known = new Set(
    [cashMethod, ...[...currencies, ...methods].map(({ currency, methodId }) => currency ?? methodId)].map(String),
  );
  const others = asked.flatMap(({ methodId, currency }): AmountField[] => {
    const name = String(currency ?? methodId);
    if (known.has(name)) return [];
    known.add(name);
    return [{ key: `asked ${name}`, methodId, ...(currency !== undefined && { currency }), name, isCash: true }];
  });
  return [...currencies, ...methods, ...others];
}

function keyOf(field: CountField): string | number {
  return typeof field === "number" ? field : field.key;
}
