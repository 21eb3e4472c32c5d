import type { ErrorCode, ErrorDetails } from "@comanda/protocol";

type DetailsOf<C extends ErrorCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : undefined;
type DetailsArgument<C extends ErrorCode> = C extends "TABLE_OCCUPIED" | "CONFLICT"
  ? [details: DetailsOf<C>]
  : [details?: DetailsOf<C>];

/** What a rule throws inside a write to undo it: nothing broke, and nothing in memory was touched. */
export class Refusal extends Error {}

/** A refusal that the caller is meant to branch on. Thrown inside a write it undoes that write. */
export class HubError<C extends ErrorCode = ErrorCode> extends Refusal {
  override readonly name = "HubError";
  readonly code: C;
  readonly details: Record<string, unknown>;

  constructor(code: C, message: string, ...[details]: DetailsArgument<C>) {
    super(message);
    this.code = code;
    this.details = { ...details };
  }
}

/** What keeps a hub from starting, for callers that branch on it. */
export type StartErrorCode =
  | "setting"
  | "port_in_use"
  | "address"
  | "data_file_in_use"
  | "data_file_newer"
  /** Damaged, and set aside. */
  | "data_file_damaged"
  /** Gone or empty, although this hub has had one: nothing was begun in its place. */
  | "data_file_missing"
  /** A restore was begun and could not be finished; the next start goes on with it. */
  | "restore_unfinished"
  | "data_file_unusable";

/** What keeps the hub from starting; its message is one plain sentence for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly code: StartErrorCode;
  /** Names of the settings that would have to be other ones. */
  readonly settings: readonly string[];

  constructor(code: StartErrorCode, message: string, settings: readonly string[] = []) {
    super(message);
    this.code = code;
    this.settings = settings;
  }
}

/** Turns what SQLite throws when the disk or the file fails into the refusal that callers know; it may be tried again. */
export function asStorageError(error: unknown): unknown {
  if (isDiskFailure(error)) {
    return new HubError("STORAGE_FULL", "the hub's disk is full or cannot be written; nothing was stored");
  }
  if (isCorrupt(error)) return new HubError("STORAGE_FULL", "the hub's data file is damaged; nothing was stored");
  return error;
}

/** Whether SQLite itself says that a file is damaged. */
export function isCorrupt(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB";
}

/** Whether SQLite says that the disk is full, or cannot be read or written. */
export function isDiskFailure(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"].some((each) => code.startsWith(each));
}
