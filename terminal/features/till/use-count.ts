import type { CountedMethod, ForeignCurrency, PaymentMethod, UncountedMethod } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { useState } from "react";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";
import { keptById } from "../../lib/device/kept-by-id.ts";
import { amountOfPieces, piecesOf, pieceValues, typePieces, type TypedPieces } from "./count-pieces.ts";

interface Menu {
  paymentMethods: readonly Pick<PaymentMethod, "id" | "name" | "type">[];
  currencies?: readonly Pick<ForeignCurrency, "code">[] | undefined;
}

/** What the money of the drawer is counted under where the menu has no cash (any more). */
const ANY_CASH = "cash";

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
interface CountDraft {
  pieces: TypedPieces;
  /** By the key of an amount. */
  typed: Readonly<Record<string, string>>;
  note: string;
}

const empty: CountDraft = { pieces: {}, typed: {}, note: "" };

/** A count as it was sent, and what its money is called. */
export interface SentCount {
  draft: CountDraft;
  nameOf: (money: UncountedMethod) => string;
}

/** Neither another screen nor a reload loses what is half counted of a shift. */
const drafts = keptById("comanda-terminal-count", isDraft);

function isDraft(value: unknown): value is CountDraft {
  const { pieces, typed, note } = value as Partial<CountDraft>;
  return typeof note === "string" && typeof pieces === "object" && typeof typed === "object";
}

/** By shift: what the hub has asked for in a count and the menu does not have (any more). */
const askedFor = new Map<string, readonly UncountedMethod[]>();

/** A count that was sent is to be completed: it is as it was typed, with what was missing among its fields. */
export function askFor(
  shiftId: string,
  { draft, uncounted }: { draft: CountDraft; uncounted: UncountedMethod[] },
): void {
  // Not over what was typed of another count since, as while the hub was away.
  if (drafts.read(shiftId) === undefined) drafts.keep(shiftId, draft);
  askedFor.set(shiftId, [...(askedFor.get(shiftId) ?? []), ...uncounted]);
}

/**
 * A count whose cash the menu has no method for, under the one that the hub has called the shift's; null where that is not what
 * it lacks.
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

/** A count as it is typed. */
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
    take(): SentCount {
      drafts.forget((each) => each === shiftId);
      return { draft, nameOf: (money) => nameOfMoney(money, methods, cashMethod) };
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

/** What is counted by its amount: each currency, each other method, and what the hub has `asked` for beside. */
export function amountFields(
  menu: Pick<Menu, "currencies" | "paymentMethods"> | null,
  cashMethod: CountedMethod["methodId"],
  asked: readonly UncountedMethod[],
): AmountField[] {
  const methods = menu?.paymentMethods ?? [];
  const fieldOf = (money: UncountedMethod, isCash: boolean): AmountField => {
    return { ...money, key: keyOfMoney(money), name: nameOfMoney(money, methods, cashMethod), isCash };
  };
  const known = [
    ...(menu?.currencies ?? []).map(({ code: currency }) => fieldOf({ methodId: cashMethod, currency }, true)),
    ...methods.flatMap(({ id: methodId, type }) => {
      // Nothing of what is owed lies in a drawer.
      return type === "pay_later" || methodId === cashMethod ? [] : [fieldOf({ methodId }, type === "cash")];
    }),
  ];
  const fields = new Map(known.map((field) => [field.key, field]));
  // What the hub asks for is cash, whatever the menu says of its method.
  for (const money of asked) fields.set(keyOfMoney(money), fieldOf(money, true));
  // It is counted by its pieces.
  fields.delete(keyOfMoney({ methodId: cashMethod }));
  return [...fields.values()];
}

/** Dollars of the house's cash are called by their currency alone. */
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
