import {
  hubSentence,
  sentence,
  type Sentence,
  type ErrorCode,
  type ErrorDetails,
  type ErrorExplanation,
  type SentenceName,
  type SentenceValues,
} from "@comanda/protocol";
import { isoTime } from "./world.ts";
import { isCorrupt, isDiskFailure } from "./error-facts.ts";

/** Codes whose details are required: the caller could not react without them. */
type Detailed = "TABLE_OCCUPIED" | "PARTY_SEATED" | "CONFLICT";
type DetailsOf<C extends ErrorCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : undefined;
type DetailsArgument<C extends ErrorCode> = C extends Detailed ? [details: DetailsOf<C>] : [details?: DetailsOf<C>];

/** Thrown by a rule inside a transaction to undo it. It is no fault, and nothing in memory has changed. */
export class Refusal extends Error {}

/** A refusal with a code for the caller to branch on. Thrown inside a transaction, it undoes that transaction. */
export class HubError<C extends ErrorCode = ErrorCode> extends Refusal {
  override readonly name = "HubError";
  readonly code: C;
  readonly details: Record<string, unknown>;
  /** For the screens, which have their own sentences; only the operator API sends it. */
  explanation: ErrorExplanation = {};

  constructor(code: C, message: string, ...[details]: DetailsArgument<C>) {
    super(message);
    this.code = code;
    this.details = { ...details };
  }
}

/** Returns a refusal with a sentence that the screens have in both languages. */
export function explainedError<C extends Exclude<ErrorCode, Detailed>, N extends SentenceName>(
  code: C,
  reason: N,
  ...values: SentenceValues<N>
): HubError<C> {
  const error = new HubError<C>(code, hubSentence(reason, ...values), ...([] as unknown as DetailsArgument<C>));
  error.explanation = sentence(reason, ...values);
  return error;
}

/** Returns what was found. Throws NOT_FOUND with the message if it is nothing. */
export function requireFound<T>(found: T | null | undefined, message: string): T {
  if (found === null || found === undefined) throw new HubError("NOT_FOUND", message);
  return found;
}

/** Returns what a manager still has to settle. Throws NOT_FOUND, or CONFLICT if somebody has settled it. */
export function requireUnsettled<T extends { settledAt: number | null }>(row: T | null, name: string): T {
  const found = requireFound(row, `there is no ${name}`);
  if (found.settledAt === null) return found;
  throw new HubError("CONFLICT", `${name} was already settled`, { settledAt: isoTime(found.settledAt) });
}

/** Why a hub cannot start, for callers to branch on. */
export type StartErrorCode =
  | "setting"
  | "port_in_use"
  | "address"
  /** The copy before an update cannot be written there. */
  | "backup_folder"
  | "data_file_in_use"
  | "data_file_newer"
  /** Damaged, and set aside. */
  | "data_file_damaged"
  /** Missing or empty although this hub had one; no new one was created. */
  | "data_file_missing"
  /** A restore was interrupted; the next start continues it. */
  | "restore_unfinished"
  | "data_file_unusable";

/** Why the hub cannot start. The message is one plain sentence for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly code: StartErrorCode;
  /** Names of the settings to correct. */
  readonly settings: readonly string[];
  /** What is wrong with a setting that is being changed, if one of the hub's sentences says it. */
  readonly said: Sentence | undefined;

  constructor(code: StartErrorCode, message: string, settings: readonly string[] = [], sentence?: Sentence) {
    super(message);
    this.code = code;
    this.settings = settings;
    this.said = sentence;
  }
}

/** Turns SQLite's error for a failing disk or data file into a HubError. Other errors are returned unchanged. */
export function asStorageError(error: unknown): unknown {
  if (isDiskFailure(error)) {
    return new HubError("STORAGE_FULL", "the hub's disk is full or cannot be written; nothing was stored");
  }
  if (isCorrupt(error)) return new HubError("STORAGE_FULL", "the hub's data file is damaged; nothing was stored");
  return error;
}
