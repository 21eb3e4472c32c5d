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

/** A setting, data file or port that keeps the hub from starting; its message is one plain sentence for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Turns what SQLite throws when the disk is full or failing into the refusal that callers know. */
export function asStorageError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_FULL") || code.startsWith("SQLITE_IOERR") || code === "SQLITE_READONLY") {
    return new HubError("STORAGE_FULL", "the hub's disk is full or cannot be written; nothing was stored");
  }
  return error;
}
