import { isActive, type Customer } from "@comanda/protocol";
import type { ChosenParts, TipChoice } from "@comanda/rules";
import type { Terminal } from "@comanda/terminal";
import { useState } from "react";
import { keptById } from "../../lib/device/kept-by-id.ts";
import { choiceFor, type FiscalChoice } from "./fiscal-types.ts";
import type { ChosenCustomer } from "./tender.ts";

/** What was chosen for the payment of a check and is not on it yet. */
export interface PayDraft {
  fiscal: FiscalChoice;
  customer: ChosenCustomer | null;
  /** The name that the typed RNC has brought; empty: none has. */
  foundName: string;
  tip: TipChoice | null;
  parts: ChosenParts | null;
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

/** The buyer of a check that is half paid is asked for its number with the rest. */
const drafts = keptById("comanda-terminal-payments", isDraft);

function isDraft(value: unknown): value is KeptDraft {
  return typeof value === "object" && value !== null && Object.keys(empty).every((field) => field in value);
}

const followed = new WeakSet<Terminal>();

/** Once the hub has a payment nothing of its buyer stays on the device, whoever has taken it and whatever is shown here. */
export function forgetPaid(terminal: Terminal): void {
  if (followed.has(terminal)) return;
  followed.add(terminal);
  const forget = (): void => drafts.forget((posReference) => isOver(terminal, posReference));
  forget();
  terminal.on("orders", forget);
}

function isOver(terminal: Terminal, posReference: string): boolean {
  const order = terminal.order(posReference);
  // Without the hub this device may not know it yet.
  if (order === undefined) return terminal.connection().name === "online";
  return !isActive(order.snapshot.status) && order.pending === 0 && !order.paymentRefused;
}

/** `fiscal` is what counts until something is chosen here. */
export function usePayDraft(
  posReference: string,
  fiscal: FiscalChoice,
  first: Partial<PayDraft> = {},
): [PayDraft, (change: Partial<PayDraft>) => void] {
  const [draft, setDraft] = useState<KeptDraft>(() => {
    const begun = { ...(drafts.read(posReference) ?? empty), ...first };
    drafts.keep(posReference, begun);
    return begun;
  });
  // A name that has come with an RNC goes with it.
  const shown =
    draft.fiscal === null ? { ...draft, fiscal, foundName: fiscal.name } : { ...draft, fiscal: draft.fiscal };
  const change = (next: Partial<PayDraft>) => {
    const changed = { ...draft, foundName: shown.foundName, ...next };
    drafts.keep(posReference, changed);
    setDraft(changed);
  };
  return [shown, change];
}
