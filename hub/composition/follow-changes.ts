import { isElectronic } from "@comanda/rules";
import type { Change } from "../changes/change.ts";
import type { ChainService } from "../chain/chain-service.ts";
import type { Core } from "./create-core.ts";
import type { Operator } from "./create-operator.ts";
import type { Terminals } from "./create-terminals.ts";
import { receiptRecorder } from "../fiscal/receipt-rows.ts";
import { fiscalRecorder } from "../fiscal/fiscal-numbers.ts";
import { forwardRecorder } from "../forwarding/event-store.ts";
import { affectsStatus } from "./hub-status.ts";
import { repeatedPaymentRecorder } from "../restores/repeated-payments.ts";
import { creditRecorder } from "../orders/payments/credit-rules.ts";
import type { PracticeService } from "../practice/practice-service.ts";

/** Connects changes, ended sessions and the back-office's reachability to the parts that react to them. */
export function followChanges(
  deps: Pick<Core, "stores" | "pos" | "orderCommands" | "backOffice" | "background" | "documents"> &
    Pick<Terminals, "terminals" | "statusUpdates"> & {
      operator: Operator;
      practice: PracticeService;
      chain: ChainService;
      /** Longest pause between two status requests for one electronic receipt. */
      fiscalPollMs: number;
    },
): void {
  const { fiscalPollMs, stores, pos, orderCommands, backOffice, background, documents } = deps;
  const { terminals, statusUpdates, operator, practice, chain } = deps;
  const { changes, time, events, mutations, credits, ncfs, fiscalRequests } = stores;
  const { identities, reachability, own } = backOffice;
  const { lookups, fiscalNumbers, electronicReceipts, forwarder, storage } = background;
  const { dispatcher, pruning } = background.webhooks;

  // The order matters. Recorders run in the transaction of the change, listeners after the commit.
  changes.addRecorder(forwardRecorder(events));
  changes.addRecorder(fiscalRecorder({ ncfs, fiscalRequests }));
  changes.addRecorder(receiptRecorder(fiscalRequests, fiscalPollMs));
  changes.addRecorder(creditRecorder(credits, pos));
  changes.addRecorder(repeatedPaymentRecorder(stores.losses));
  changes.addRecorder(stores.tillBook.record);
  changes.addRecorder(orderCommands.till.record);
  // After the till, so that the drawer opens while the receipt is still being printed.
  for (const record of documents.recorders) changes.addRecorder(record);
  changes.addRecorder(dispatcher.record);
  changes.addRecorder(chain.record);
  changes.addUndoListener(mutations.readAgain);
  changes.addListener(terminals.announce);
  changes.addListener(dispatcher.announce);
  changes.addListener(operator.follow);
  changes.addListener(fiscalNumbers.follow);
  changes.addListener(background.printService.follow);
  changes.addListener(electronicReceipts.follow);
  changes.addListener(chain.follow);
  changes.addListener((group) => {
    if (group.some(affectsStatus)) statusUpdates.wake();
    if (group.some(isAboutLosses)) lookups.wake();
    if (group.some(isToBeSigned)) forwarder.wake();
  });
  for (const end of [terminals.endSignedOut, practice.endSignedOut]) identities.onSignOut(end);
  reachability.onChange((isUp) => {
    operator.onReachable(isUp);
    statusUpdates.wake();
    if (isUp) for (const part of [lookups, fiscalNumbers, forwarder, electronicReceipts, identities]) part.wake();
  });
  own.onChange(operator.onOwnSession);
  time.onConfirmed(pruning.wake);
  time.onConfirmed(storage.retention.wake);
}

/** Whether a change makes an electronic receipt due for signing: forwarding signs it, and the guest waits for the code. */
function isToBeSigned(change: Change): boolean {
  if (change.kind !== "order.stored" || (change.versionKind !== "paid" && change.versionKind !== "numbered"))
    return false;
  const { ncf, fiscal } = change.order.snapshot;
  return fiscal?.status === "assigned" && isElectronic(ncf);
}

function isAboutLosses(change: Change): boolean {
  return change.kind === "notice" && change.notice.topics.includes("losses");
}
