import type { ErrorCode, RefusedToken } from "@comanda/protocol";
import type { MutationAnswer, OutboxEntry } from "../entries/outbox-entry.ts";
import type { Conflict } from "./present-conflict.ts";

export type MutationOutcome =
  | { state: "acknowledged"; answer: MutationAnswer }
  | { state: "refused"; conflict: Conflict }
  | { state: "discarded" };

/** What waits for its actor to enter their PIN again, because the hub no longer knows them by their token. */
export interface AwaitedToken {
  /** The hub has kept the mutation, too: a manager may decide on it there before they have. */
  isKept: boolean;
  /** Which token the hub refused, and why; null where it did not say. */
  refusedToken: RefusedToken | null;
}

/** A queued mutation: its stored entry, and what is true only while this process runs. */
export interface Slot {
  readonly entry: OutboxEntry;
  readonly settle: (outcome: MutationOutcome) => void;
  /** Never rejects. */
  readonly outcome: Promise<MutationOutcome>;
  /** Its write has ended, so that it may be sent. */
  stored: boolean;
  /** The storage failed: only the memory has it. */
  unsaved: boolean;
  inFlight: boolean;
  answer: MutationAnswer | null;
  awaitedToken: AwaitedToken | null;
  /** It has waited for a PIN, and was sent again with the token that the PIN gave. */
  isRenewed: boolean;
  /** The code of the last refusal after which it is sent again. */
  heldBy: ErrorCode | null;
  retries: number;
  rebases: number;
  /** Monotonic ms before which it is not sent. */
  notBefore: number;
  /** The state that a refusal named and that has not arrived yet. */
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
    awaitedToken: null,
    isRenewed: false,
    heldBy: null,
    retries: 0,
    rebases: 0,
    notBefore: 0,
    awaiting: null,
  };
}

/** Whether it waits for a person: refused, or without a valid actor. */
export function needsPerson({ entry, awaitedToken }: Slot): boolean {
  return entry.refusal !== null || awaitedToken !== null;
}
