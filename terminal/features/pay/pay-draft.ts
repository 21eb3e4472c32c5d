import type { Customer } from "@comanda/protocol";
import type { Division, TipChoice } from "@comanda/rules";
import { useState } from "react";
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

const empty: PayDraft = {
  fiscal: { type: null, rnc: "", name: "" },
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

/** By check: kept while the page lives, so that looking at another check loses nothing. */
const drafts = new Map<string, PayDraft>();

export function usePayDraft(
  posReference: string,
  first: Partial<PayDraft> = {},
): [PayDraft, (change: Partial<PayDraft>) => void] {
  const [draft, setDraft] = useState<PayDraft>(() => {
    const begun = { ...(drafts.get(posReference) ?? empty), ...first };
    drafts.set(posReference, begun);
    return begun;
  });
  const change = (next: Partial<PayDraft>) => {
    const changed = { ...draft, ...next };
    drafts.set(posReference, changed);
    setDraft(changed);
  };
  return [draft, change];
}
