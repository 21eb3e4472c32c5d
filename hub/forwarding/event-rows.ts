import type { Sentence } from "@comanda/protocol";
import { readSentenceOrNull } from "../db/rows/sentence-column.ts";

export interface WaitingEvent {
  id: number;
  type: string;
  posReference: string;
  version: number;
  createdAt: number;
  refusals: number;
  attempts: number;
}

export interface EventRow extends WaitingEvent {
  state: "pending" | "done" | "attention";
  nextAttemptAt: number | null;
  forwardedAt: number | null;
  error: Sentence | null;
  errorCode: string | null;
  /** Why a manager set the event aside. */
  note: string | null;
  /** When a new decision on the event is due, ms since 1970; null if it is due already or the event is not set aside. */
  setAsideUntil: number | null;
}

export interface StoredEvent extends Omit<EventRow, "error"> {
  error: string | null;
}

export const COLUMNS = "id, type, pos_reference AS posReference, version, created_at AS createdAt, refusals, attempts";
export const ALL_COLUMNS = `${COLUMNS}, state, next_attempt_at AS nextAttemptAt, forwarded_at AS forwardedAt, error,
  error_code AS errorCode, note, set_aside_until AS setAsideUntil`;

export function readEvent(row: StoredEvent): EventRow {
  return { ...row, error: readSentenceOrNull(row.error) };
}
