import type { Customer } from "@comanda/protocol";
import type { Division, TipChoice } from "@comanda/rules";
import { useState } from "react";
import { readSaved, save } from "../../lib/device/saved.ts";
import { choiceFor, type FiscalChoice } from "./fiscal-types.ts";
import type { ChosenCustomer } from "./tender.ts";

/** What was chosen for the payment of a check and is not on it yet. */
export interface PayDraft {
  fiscal: FiscalChoice;
  customer: ChosenCustomer | null;
  /** The name that the typed RNC has brought; empty: none has. */
  foundName: string;
  tip: TipChoice | null;
  /** How what was left to pay is divided; `paid` is what was paid before that, in cents. */
  parts: { division: Division; paid: number } | null;
}

/** `fiscal` null: nothing was chosen on this device. */
type KeptDraft = Omit<PayDraft, "fiscal"> & { fiscal: FiscalChoice | null };

const empty: KeptDraft = {
  fiscal: null,
  customer: null,
  foundName: "",
  tip: null,
  parts: null,
};

/** What changes where a customer is chosen, or removed. */
export function chooseCustomer({ fiscal }: PayDraft, found: Customer | null): Partial<PayDraft> {
  const customer = found === null ? null : { id: found.id, name: found.name };
  return { customer, fiscal: choiceFor(fiscal, found) };
}

const KEY = "comanda-terminal-payments";
/** More than a device is in the middle of. */
const MOST = 20;
type KeptDrafts = readonly (readonly [posReference: string, draft: KeptDraft])[];

/** By check, kept over a reload: the buyer of a check that is half paid is asked for its number with the rest. */
function keep(posReference: string, draft: KeptDraft): void {
  save(KEY, [...kept().filter(([each]) => each !== posReference), [posReference, draft]].slice(-MOST));
}

function kept(): KeptDrafts {
  return readSaved(KEY, isKept) ?? [];
}

function isKept(value: unknown): value is KeptDrafts {
  return Array.isArray(value) && value.every((each) => Array.isArray(each) && isDraft(each[1]));
}

function isDraft(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(empty).every((field) => field in value);
}

/** `fiscal` is what counts until something is chosen here. */
export function usePayDraft(
  posReference: string,
  fiscal: FiscalChoice,
  first: Partial<PayDraft> = {},
): [PayDraft, (change: Partial<PayDraft>) => void] {
  const [draft, setDraft] = useState<KeptDraft>(() => {
    const before = kept().find(([each]) => each === posReference)?.[1] ?? empty;
    const begun = { ...before, ...first };
    keep(posReference, begun);
    return begun;
  });
  const change = (next: Partial<PayDraft>) => {
    const changed = { ...draft, ...next };
    keep(posReference, changed);
    setDraft(changed);
  };
  return [{ ...draft, fiscal: draft.fiscal ?? fiscal }, change];
}
