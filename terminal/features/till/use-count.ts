import type { CountedMethod, ForeignCurrency, PaymentMethod, UncountedMethod } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { useState } from "react";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { savedById } from "../../lib/device/saved-by-id.ts";
import { amountOfPieces, piecesOf, pieceValues, typePieces, type TypedPieces } from "./count-pieces.ts";

interface Menu {
  paymentMethods: readonly Pick<PaymentMethod, "id" | "name" | "type">[];
  currencies?: readonly Pick<ForeignCurrency, "code">[] | undefined;
}

/** Counted as this method while the menu has no cash method. */
const ANY_CASH = "cash";

/** An amount counted besides the pieces: a foreign currency, another cash method, or card slips. */
export interface AmountField extends Pick<CountedMethod, "methodId" | "currency"> {
  key: string;
  name: string;
  /** Whether it is cash, which every count includes, with zero if nothing was typed. */
  isCash: boolean;
}

/** The selected field: a note or coin by its value, or an amount. */
export type CountField = number | AmountField;

export type ShiftCount = ReturnType<typeof useCount>;

/** What was typed of a count not yet sent. */
interface CountDraft {
  pieces: TypedPieces;
  /** Typed text by the key of an amount. */
  typed: Readonly<Record<string, string>>;
  note: string;
}

const empty: CountDraft = { pieces: {}, typed: {}, note: "" };

/** A count as it was sent, and a function that names its money. */
export interface SentCount {
  draft: CountDraft;
  nameOf: (money: UncountedMethod) => string;
}

/** Keeps a half-finished count of a shift over a change of screen or a reload. */
const drafts = savedById("comanda-terminal-count", isDraft);

function isDraft(value: unknown): value is CountDraft {
  const { pieces, typed, note } = value as Partial<CountDraft>;
  return typeof note === "string" && typeof pieces === "object" && typeof typed === "object";
}

/** By shift, the money that the hub asked to count and that the menu does not have. */
const uncountedByShift = new Map<string, readonly UncountedMethod[]>();

/** Reopens a sent count to be completed: restores what was typed, and adds fields for the missing money. */
export function askFor(
  shiftId: string,
  { draft, uncounted }: { draft: CountDraft; uncounted: UncountedMethod[] },
): void {
  // Must not replace a newer count typed since, for example while the hub was unreachable.
  if (drafts.read(shiftId) === undefined) drafts.keep(shiftId, draft);
  uncountedByShift.set(shiftId, [...(uncountedByShift.get(shiftId) ?? []), ...uncounted]);
}

/**
 * Returns the count with its cash under the shift's cash method as named by the hub, if the menu had none. Null if the count
 * lacks something else.
 */
export function underCashOfShift(
  counted: readonly CountedMethod[],
  uncounted: readonly UncountedMethod[],
): CountedMethod[] | null {
  const cash = uncounted.find(({ currency }) => currency === undefined);
  if (cash === undefined || counted.every(({ methodId }) => methodId !== ANY_CASH)) return null;
  const { methodId } = cash;
  return counted.map((each) => (each.methodId === ANY_CASH ? { ...each, methodId } : each));
}

/** State of a count while it is typed. */
export function useCount(shiftId: string, menu: Menu | null) {
  const [draft, setDraft] = useState(() => drafts.read(shiftId) ?? empty);
  const { pieces, typed, note } = draft;
  const change = (next: Partial<CountDraft>) => {
    const changed = { ...draft, ...next };
    drafts.keep(shiftId, changed);
    setDraft(changed);
  };
  const [at, setAt] = useState(0);
  const methods = menu?.paymentMethods ?? [];
  const cashMethod = methods.find(({ type }) => type === "cash")?.id ?? ANY_CASH;
  const amounts = amountFields(menu, cashMethod, uncountedByShift.get(shiftId) ?? []);
  const fields: CountField[] = [...pieceValues, ...amounts];
  const field = fields[at] ?? pieceValues[0];
  const amountOf = ({ key }: AmountField): number => fromCents(typedCents(typed[key] ?? ""));
  const total = amountOfPieces(pieces);

  return {
    amounts,
    field,
    /** The typed count of a note or coin. */
    piecesOf: (value: number): string => pieces[value] ?? "",
    amountOf,
    /** Total of the pieces, in pesos. */
    total,
    note,
    setNote: (next: string) => change({ note: next }),
    choose: (next: CountField) => setAt(fields.findIndex((each) => keyOf(each) === keyOf(next))),
    goOn: () => setAt((at + 1) % fields.length),

    type(key: string): void {
      if (typeof field === "number") change({ pieces: typePieces(pieces, field, key) });
      else change({ typed: { ...typed, [field.key]: typeAmount(typed[field.key] ?? "", key) } });
    },

    /** Clears the draft once the count is sent, so that the next count of the shift begins empty. */
    take(): SentCount {
      drafts.forget((each) => each === shiftId);
      return { draft, nameOf: (money) => nameOfMoney(money, methods, cashMethod) };
    },

    /** Returns all cash, and other money if typed. */
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

/** Returns the fields for amounts: each currency, each other method, and the money that the hub asked for. */
export function amountFields(
  menu: Pick<Menu, "currencies" | "paymentMethods"> | null,
  cashMethod: CountedMethod["methodId"],
  uncounted: readonly UncountedMethod[],
): AmountField[] {
  const methods = menu?.paymentMethods ?? [];
  const fieldOf = (money: UncountedMethod, isCash: boolean): AmountField => {
    return { ...money, key: keyOfMoney(money), name: nameOfMoney(money, methods, cashMethod), isCash };
  };
  const regular = [
    ...(menu?.currencies ?? []).map(({ code: currency }) => fieldOf({ methodId: cashMethod, currency }, true)),
    ...methods.flatMap(({ id: methodId, type }) => {
      // Credit leaves nothing in a drawer.
      return type === "pay_later" || methodId === cashMethod ? [] : [fieldOf({ methodId }, type === "cash")];
    }),
  ];
  const fields = new Map(regular.map((field) => [field.key, field]));
  // The hub only asks for cash, whatever the menu says of the method.
  for (const money of uncounted) fields.set(keyOfMoney(money), fieldOf(money, true));
  // Peso cash of the main method is counted by pieces.
  fields.delete(keyOfMoney({ methodId: cashMethod }));
  return [...fields.values()];
}

/** Returns the name of counted money: foreign cash of the main method has only the name of its currency. */
function nameOfMoney(
  { methodId, currency }: UncountedMethod,
  methods: Menu["paymentMethods"],
  cashMethod: CountedMethod["methodId"],
): string {
  const method = methods.find(({ id }) => String(id) === String(methodId))?.name ?? String(methodId);
  if (currency === undefined) return method;
  return String(methodId) === String(cashMethod) ? currency : `${currency} (${method})`;
}

function keyOfMoney({ methodId, currency }: UncountedMethod): string {
  return JSON.stringify([String(methodId), currency]);
}

function keyOf(field: CountField): string | number {
  return typeof field === "number" ? field : field.key;
}
