import { copyOf } from "../../orders/order-content.ts";
import type { Schemas } from "../../schemas.ts";
import { checkIntent } from "../entries/check-intent.ts";
import { isMoney, isPersonRefused, type Actor, type Intent, type OutboxEntry } from "../entries/outbox-entry.ts";
import { isOfSameDish, joinActs } from "../entries/join-acts.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxSender } from "./outbox-sender.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Settling } from "../answers/settling.ts";
import { needsPerson, type MutationOutcome, type Slot } from "../queue/slot.ts";

export interface Mutation {
  id: string;
  /** Resolves when stored on disk. Rejects if that failed; the mutation is still sent from memory. */
  stored: Promise<void>;
  /** Never rejects. */
  outcome: Promise<MutationOutcome>;
}

/** Who makes a mutation: `actor` in whose name, and `approval`, the token of a second person who approved it. */
export interface Signature {
  actor?: Actor | undefined;
  approval?: string | undefined;
}

export type Intake = ReturnType<typeof createIntake>;

/** Accepts new mutations: they show at once, are stored, and are then sent. */
export function createIntake(deps: {
  queue: Pick<OutboxQueue, "nextPlace" | "put" | "slots">;
  save: OutboxWrites["save"];
  sender: Pick<OutboxSender, "decideEarly" | "isOnline" | "pump">;
  discard: Settling["discard"];
  schemas: Schemas;
  uuid: () => string;
  now: () => string;
  changed: (intents: readonly Intent[]) => void;
}) {
  const { queue, save, sender, discard, schemas, uuid, now, changed } = deps;
  let isClosed = false;

  return {
    /** Returns the entry of a new mutation. */
    entryOf(intent: Intent, { actor, approval }: Signature = {}): OutboxEntry {
      const id = uuid();
      return {
        id,
        place: queue.nextPlace(),
        queuedAt: now(),
        mutationId: id,
        intent: copyOf(intent),
        message: null,
        refusal: null,
        ...(actor !== undefined && { actor }),
        ...(approval !== undefined && { approval }),
        ...(!sender.isOnline() && { isOffline: true }),
      };
    },
    /** Queues a mutation. Throws TerminalRefusal if the hub would never accept it. */
    add(entry: OutboxEntry): Mutation {
      requireSound(entry);
      const joined = joinWithWaiting(entry);
      if (joined !== null) return joined;
      const slot = queue.put(entry);
      sender.decideEarly(slot);
      return mutationOf(slot, [entry.intent]);
    },
    /**
     * Replaces a refused mutation by `intent`, queued now, so that the hub does not mark it as late. Throws TerminalRefusal if
     * the hub would never accept it.
     */
    replace(old: Slot, intent: Intent, signature: Signature): Mutation {
      const { isKeptByHub: _, approval: __, actor: ___, ...retained } = old.entry;
      const renewed = { queuedAt: now(), mutationId: uuid(), intent, message: null, refusal: null };
      const entry: OutboxEntry = { ...retained, ...renewed, ...signers(old, signature) };
      // A payment is for the check as shown now, so it waits for earlier mutations of that check.
      if (isMoney(intent)) entry.place = queue.nextPlace();
      requireSound(entry);
      return mutationOf(queue.put(entry, old), [old.entry.intent, intent]);
    },
    close(): void {
      isClosed = true;
    },
  };

  function requireSound(entry: OutboxEntry): void {
    if (isClosed) throw new Error("the terminal has been stopped");
    checkIntent(entry, schemas);
  }

  /** Joins a kitchen action with an earlier unsent one, or drops both if one undoes the other. Null: nothing to join. */
  function joinWithWaiting(entry: OutboxEntry): Mutation | null {
    const before = queue.slots().findLast((slot) => isOfSameDish(slot.entry.intent, entry.intent));
    if (before === undefined || before.entry.message !== null || needsPerson(before)) return null;
    const { id, place, intent: former } = before.entry;
    const intent = joinActs(former, entry.intent);
    if (intent === undefined) return null;
    if (intent === null) {
      discard(before);
      return { id, stored: Promise.resolve(), outcome: before.outcome };
    }
    const slot = queue.put({ ...entry, id, place, intent }, before);
    void slot.outcome.then(before.settle);
    return mutationOf(slot, [former, intent]);
  }

  function mutationOf(slot: Slot, touched: readonly Intent[]): Mutation {
    const stored = store(slot);
    changed(touched);
    return { id: slot.entry.id, stored, outcome: slot.outcome };
  }

  /** Stores a mutation, and sends it once the write has ended, even with an error. The rejection may be ignored. */
  function store(slot: Slot): Promise<void> {
    const goOn = () => {
      slot.stored = true;
      sender.pump();
    };
    const stored = save(slot).finally(goOn);
    stored.catch(() => {});
    return stored;
  }
}

/** The original author stays, unless that person was refused and there is no approval. */
function signers(
  { entry, pendingToken }: Slot,
  { actor, approval }: Signature,
): Pick<OutboxEntry, "actor" | "approval"> {
  const { refusal } = entry;
  const isRefusedPerson = pendingToken !== null || (refusal !== null && isPersonRefused(refusal));
  const isApprovalRefused = refusal?.refusedToken?.of === "approval";
  const newActor = isRefusedPerson && approval === undefined ? (actor ?? entry.actor) : entry.actor;
  const newApproval = approval ?? (isApprovalRefused ? undefined : entry.approval);
  return {
    ...(newActor !== undefined && { actor: newActor }),
    ...(newApproval !== undefined && { approval: newApproval }),
  };
}
