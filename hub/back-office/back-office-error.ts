import { sentence, sentenceInEnglish, type Sentence } from "@comanda/protocol";

/**
 * What a failure means for the caller: there is no usable answer, the session is dead, the login was refused, or the
 * back-office refused the request itself.
 */
export type BackOfficeFailureKind = "unreachable" | "session_dead" | "login_refused" | "refused";

/** What exactly failed, if known. Callers branch on it and never on the message. */
export type BackOfficeFailureReason =
  /** No connection could be opened, so nothing was sent. */
  | "no_connection"
  /** No connection could be opened because this computer cannot reach the address: no DNS, no route. */
  | "no_network"
  /** No answer came in time. */
  | "timeout"
  /** Too many calls are waiting at this hub, so nothing was sent. */
  | "busy"
  /** The answer belongs to another request. */
  | "mismatched"
  /** The answer is not from a back-office but, for example, from a router or a proxy. */
  | "not_a_back_office"
  /** The session was signed out at this hub. */
  | "signed_out"
  /** The user signs in with a second factor, which the hub does not support. */
  | "second_factor"
  /** The back-office has no database of this name. */
  | "unknown_database";

interface FailureDetails {
  errorCode?: string | undefined;
  status?: number | undefined;
  reason?: BackOfficeFailureReason | undefined;
}

export class BackOfficeError extends Error {
  override readonly name = "BackOfficeError";
  readonly kind: BackOfficeFailureKind;
  /** The message in translatable form. */
  readonly said: Sentence;
  readonly errorCode: string | undefined;
  /** The HTTP status of the answer, possibly of a proxy; undefined if there was no answer. */
  readonly status: number | undefined;
  readonly reason: BackOfficeFailureReason | undefined;

  /** `explanation` as a string contains the words of the other side. */
  constructor(
    kind: BackOfficeFailureKind,
    explanation: Sentence | string,
    { errorCode, status, reason }: FailureDetails = {},
  ) {
    const sentence = typeof explanation === "string" ? { words: explanation } : explanation;
    super(sentenceInEnglish(sentence));
    this.kind = kind;
    this.said = sentence;
    this.errorCode = errorCode;
    this.status = status;
    this.reason = reason;
  }
}

/** Whether the request itself cannot be the cause: nothing was sent, or the hub's own sign-in failed. */
export function isLineFailure({ kind, reason }: BackOfficeError): boolean {
  return kind === "login_refused" || kind === "session_dead" || isUnsent(reason);
}

/** Whether no connection could be opened, so that the request was not sent. */
export function isUnsent(reason: BackOfficeFailureReason | undefined): boolean {
  return reason === "no_connection" || reason === "no_network";
}

/**
 * Temporary errors of Odoo's database: it is down, full or locked, or has aborted a conflicting transaction. Any other error,
 * such as a `NotNullViolation`, is caused by the request.
 */
const TRANSIENT_DATABASE_ERROR =
  /^psycopg2\.(errors\.|pool\.)?(OperationalError|InterfaceError|PoolError|SerializationFailure|DeadlockDetected|LockNotAvailable|QueryCanceled|\w+Shutdown|CannotConnectNow|TooManyConnections|DiskFull|OutOfMemory|ReadOnlySqlTransaction)$/;

/** Whether the back-office refused the request itself. */
export function isRefusal({ kind, errorCode = "" }: BackOfficeError): boolean {
  return kind === "refused" && !TRANSIENT_DATABASE_ERROR.test(errorCode);
}

/** Whether the server failed with an internal exception, of Python or the database. Odoo refuses with its own exceptions. */
export function isServerFault({ kind, errorCode = "" }: BackOfficeError): boolean {
  return kind === "refused" && /^(?!odoo\.)[a-z]\w*\./.test(errorCode);
}

/** Returns the error for an answer that belongs to another request. */
export function mismatchError(): BackOfficeError {
  return new BackOfficeError("unreachable", sentence("back_office_mismatched"), {
    reason: "mismatched",
  });
}

export function notABackOffice(explanation: Sentence, status: number | undefined): BackOfficeError {
  return new BackOfficeError("unreachable", explanation, { status, reason: "not_a_back_office" });
}
