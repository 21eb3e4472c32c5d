import type { ErrorCode, HubMessageOf } from "@comanda/protocol";
import type { PendingPins } from "./pending-pins.ts";
import { passOnVersions } from "./follow-answer.ts";
import { createdBy, isContentChange } from "../entries/intent-content.ts";
import type { Notices } from "../queue/notices.ts";
import {
  isMoney,
  type ExistingCheck,
  type MutationAnswer,
  type OutboxEntry,
  type Refusal,
} from "../entries/outbox-entry.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { namesRemovedLines } from "../entries/decide-message.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxSender } from "../sending/outbox-sender.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Refuse } from "../sending/refuse.ts";
import type { Settling } from "./settling.ts";
import type { Slot } from "../queue/slot.ts";

export type Rejection = Pick<HubMessageOf<"ORDER_REJECTED">, "mutationId" | "errorCode" | "error" | "retryable"> &
  Partial<
    Pick<
      HubMessageOf<"ORDER_REJECTED">,
      "hubVersion" | "posReference" | "existing" | "lineId" | "refusedToken" | "kept"
    > &
      Pick<HubMessageOf<"TILL_REJECTED">, "uncounted">
  >;

/** Applies the hub's answers to mutations. Answers to unknown or answered mutations are ignored. */
export function createAnswers(deps: {
  queue: OutboxQueue;
  keep: OutboxWrites["keep"];
  sender: Pick<OutboxSender, "answered" | "awaitsCreation" | "pump" | "rebase" | "retryLater">;
  settling: Pick<Settling, "dropSettled" | "erase">;
  pins: Pick<PendingPins, "answered" | "hold">;
  notices: Pick<Notices, "keep">;
  hubOrder: HubOrders;
  refuse: Refuse;
  uuid: () => string;
  now: () => string;
  acknowledged: (entry: OutboxEntry, answer: MutationAnswer) => void;
}) {
  const { queue, keep, sender, settling, pins, notices, hubOrder, refuse, uuid, now, acknowledged } = deps;

  return {
    acknowledge(answer: MutationAnswer): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      sender.answered(slot, null);
      slot.answer = answer;
      pins.answered(slot);
      for (const later of passOnVersions(queue, slot, answer)) keep(later);
      if (slot.entry.notice === undefined) settling.erase(slot, answer);
      else notices.keep(slot);
      slot.settle({ state: "acknowledged", answer });
      acknowledged(slot.entry, answer);
      settling.dropSettled();
      sender.pump();
    },
    reject(answer: Rejection): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      sender.answered(slot, answer.retryable ? answer.errorCode : null);
      pins.answered(slot);
      // An earlier answer no longer counts: the hub's history has forked.
      delete slot.entry.isAnswered;
      rejected(slot, answer);
      sender.pump();
    },
  };

  function rejected(slot: Slot, answer: Rejection): void {
    const { errorCode, retryable, existing, kept, refusedToken = null } = answer;
    const { actor, intent } = slot.entry;
    if (errorCode === "ACTOR_REFUSED" && actor !== undefined && mayAwaitPin(slot, answer)) {
      noteKeptMoney(slot, answer);
      pins.hold(slot, actor, { isKept: kept === true, refusedToken });
    } else if (retryable || isAhead(slot, errorCode)) {
      sender.retryLater(slot);
      noteKeptMoney(slot, answer);
    } else if (errorCode === "CONFLICT" && isContentChange(intent)) sender.rebase(slot, answer);
    else if (errorCode === "NOT_FOUND" && namesRemovedLines(slot.entry, hubOrder)) sender.rebase(slot, answer);
    else if (existing !== undefined && wasOpenedBlindly(slot.entry)) openAdditionally(slot.entry, answer, existing);
    else refuse(slot, refusalBy(answer, isMoney(intent)));
  }

  /** Whether a payment overtook the creation of its order, which is still queued. The hub has kept the payment. */
  function isAhead(slot: Slot, code: ErrorCode): boolean {
    const { intent } = slot.entry;
    return code === "NOT_FOUND" && isMoney(intent) && sender.awaitsCreation(slot, intent.posReference);
  }

  /** Notes that the hub keeps a payment that it cannot apply yet. */
  function noteKeptMoney(slot: Slot, { kept }: Rejection): void {
    const { entry } = slot;
    if (!isMoney(entry.intent) || kept !== true) return;
    entry.isKeptByHub = true;
    // The next attempt is for the order on the hub. Its content differs, so it is another mutation with the same payment.
    if (entry.message !== null && "snapshot" in entry.message) {
      entry.message = null;
      entry.mutationId = uuid();
    }
    keep(slot);
  }

  function openAdditionally(entry: OutboxEntry, { errorCode, error }: Rejection, existing: ExistingCheck): void {
    if (entry.intent.type === "ORDER_UPSERT") entry.intent = { ...entry.intent, additionalCheck: true };
    entry.notice = { errorCode, error, collisions: [], at: now(), existing };
    entry.message = null;
    entry.mutationId = uuid();
  }
}

/** Whether a new PIN can help: once only, and not for a refused approval, unless the hub has kept the mutation. */
function mayAwaitPin({ isRenewed }: Slot, { refusedToken, kept }: Rejection): boolean {
  return !isRenewed && (refusedToken?.of !== "approval" || kept === true);
}

/** Whether a new check was opened offline, when it could not be known if the table or guests have one already. */
function wasOpenedBlindly({ intent, isOffline }: OutboxEntry): boolean {
  return isOffline === true && intent.type === "ORDER_UPSERT" && createdBy(intent).length > 0;
}

function refusalBy(answer: Rejection, isOfMoney: boolean): Omit<Refusal, "at"> {
  const { errorCode, error, existing, lineId, refusedToken, uncounted, kept } = answer;
  return {
    errorCode,
    error,
    collisions: [],
    ...(existing !== undefined && { existing }),
    ...(lineId !== undefined && { lineId }),
    ...(refusedToken !== undefined && { refusedToken }),
    ...(uncounted !== undefined && { uncounted }),
    ...(kept === true && isOfMoney && { isMoneyKept: kept }),
  };
}
