import type { ErrorCode, RefusedToken } from "@comanda/protocol";
import type { MutationAnswer, OutboxEntry } from "../entries/outbox-entry.ts";
import type { Conflict } from "./present-conflict.ts";

export type MutationOutcome =
  | { state: "acknowledged"; answer: MutationAnswer }
  | { state: "refused"; conflict: Conflict }
  | { state: "discarded" };

/** A mutation that waits for its actor's PIN, because the hub no longer accepts the actor's token. */
export interface PendingToken {
  /** The hub keeps the mutation too: a manager may decide on it there before the PIN is entered. */
  isKept: boolean;
  /** The token that the hub refused, and why; null if it did not say. */
  refusedToken: RefusedToken | null;
}

/** A queued mutation: its stored entry, and its state in this process. */
export interface Slot {
  readonly entry: OutboxEntry;
  readonly settle: (outcome: MutationOutcome) => void;
  /** Never rejects. */
  readonly outcome: Promise<MutationOutcome>;
  /** The write has ended, so the mutation may be sent. */
  stored: boolean;
  /** The storage failed: the mutation is only in memory. */
  unsaved: boolean;
  inFlight: boolean;
  answer: MutationAnswer | null;
  pendingToken: PendingToken | null;
  /** It waited for a PIN and was sent again with the new token. */
  isRenewed: boolean;
  /** Code of the last refusal, if the mutation is sent again after it. */
  heldBy: ErrorCode | null;
  retries: number;
  rebases: number;
  /** Monotonic time in ms before which it is not sent. */
  notBefore: number;
  /** A state that a refusal named and that has not arrived yet. */
  awaiting: { posReference: string; version: number } | null;
}

export function newSlot(entry: OutboxEntry, stored: boolean): Slot {
  const { promise: outcome, resolve: settle } = Promise.withResolvers<MutationOutcome>();
  return {
    entry,
    settle,
    outcome,
    stored,
    unsaved: false,
    inFlight: false,
    answer: null,
    pendingToken: null,
    isRenewed: false,
    heldBy: null,
    retries: 0,
    rebases: 0,
    notBefore: 0,
    awaiting: null,
  };
}

/** Whether the mutation waits for a person: refused, or without a valid actor. */
export function needsPerson({ entry, pendingToken }: Slot): boolean {
  return entry.refusal !== null || pendingToken !== null;
}
