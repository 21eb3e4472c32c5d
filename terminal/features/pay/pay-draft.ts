import { isActive, type Customer } from "@comanda/protocol";
import type { ChosenParts, TipChoice } from "@comanda/rules";
import type { Terminal } from "@comanda/terminal";
import { useState } from "react";
import { savedById } from "../../lib/device/saved-by-id.ts";
import { choiceFor, type FiscalChoice } from "./fiscal-types.ts";
import type { ChosenCustomer } from "./tender.ts";

/** Choices for the payment of a check that are not yet on the check. */
export interface PayDraft {
  fiscal: FiscalChoice;
  customer: ChosenCustomer | null;
  /** The name found by the typed RNC; empty if none was found. */
  foundName: string;
  tip: TipChoice | null;
  parts: ChosenParts | null;
}

/** `fiscal` is null if nothing was chosen on this device. */
type StoredDraft = Omit<PayDraft, "fiscal"> & { fiscal: FiscalChoice | null };

const empty: StoredDraft = {
  fiscal: null,
  customer: null,
  foundName: "",
  tip: null,
  parts: null,
};

/** Returns the changes to the draft when a customer is chosen or removed. */
export function chooseCustomer({ fiscal }: PayDraft, found: Customer | null): Partial<PayDraft> {
  const customer = found === null ? null : { id: found.id, name: found.name };
  return { customer, fiscal: choiceFor(fiscal, found) };
}

/** Kept on the device: after a partial payment, the buyer is needed again for the rest. */
const drafts = savedById("comanda-terminal-payments", isDraft);

function isDraft(value: unknown): value is StoredDraft {
  return typeof value === "object" && value !== null && Object.keys(empty).every((field) => field in value);
}

const followed = new WeakSet<Terminal>();

/** Deletes the draft of a check, which has data of the buyer, once the hub has its payment from any device. */
export function forgetPaid(terminal: Terminal): void {
  if (followed.has(terminal)) return;
  followed.add(terminal);
  const forget = (): void => drafts.forget((posReference) => isOver(terminal, posReference));
  forget();
  terminal.on("orders", forget);
}

function isOver(terminal: Terminal, posReference: string): boolean {
  const order = terminal.order(posReference);
  // While the hub is unreachable, this device may not have loaded the order yet.
  if (order === undefined) return terminal.connection().name === "online";
  return !isActive(order.snapshot.status) && order.pending === 0 && !order.paymentRefused;
}

/** Keeps the payment draft of a check; `fiscal` applies until something is chosen here. */
export function usePayDraft(
  posReference: string,
  fiscal: FiscalChoice,
  first: Partial<PayDraft> = {},
): [PayDraft, (change: Partial<PayDraft>) => void] {
  const [draft, setDraft] = useState<StoredDraft>(() => {
    const initial = { ...(drafts.read(posReference) ?? empty), ...first };
    drafts.keep(posReference, initial);
    return initial;
  });
  // A name from the check came with an RNC, and is dropped when that changes.
  const shown =
    draft.fiscal === null ? { ...draft, fiscal, foundName: fiscal.name } : { ...draft, fiscal: draft.fiscal };
  const change = (next: Partial<PayDraft>) => {
    const changed = { ...draft, foundName: shown.foundName, ...next };
    drafts.keep(posReference, changed);
    setDraft(changed);
  };
  return [shown, change];
}
