import { said, saidInEnglish, type Said } from "@comanda/protocol";

/**
 * What a failure means for the caller: no usable answer, the session is dead, the login was refused, or the back-office
 * refused the request itself.
 */
export type BackOfficeFailureKind = "unreachable" | "session_dead" | "login_refused" | "refused";

/** What exactly failed, where that is known; callers branch on it and never on the message. */
export type BackOfficeFailureReason =
  /** No connection could be opened, so nothing was sent. */
  | "no_connection"
  /** The same, because this computer finds no way to the address: no name service, no route. */
  | "no_network"
  /** No answer came in time. */
  | "timeout"
  /** Too many calls are waiting at this hub, so nothing was sent. */
  | "busy"
  /** The answer belongs to another request. */
  | "mismatched"
  /** Something answered that is no back-office, such as a router or a proxy. */
  | "not_a_back_office"
  /** The session was signed out at this hub. */
  | "signed_out"
  /** The user signs in with a second factor, which the hub cannot give. */
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
  /** The message for somebody who reads another language. */
  readonly said: Said;
  readonly errorCode: string | undefined;
  /** The HTTP status of the answer, possibly of a proxy; undefined when there was no answer. */
  readonly status: number | undefined;
  readonly reason: BackOfficeFailureReason | undefined;

  /** `why` as a text: in the words of the other side. */
  constructor(kind: BackOfficeFailureKind, why: Said | string, { errorCode, status, reason }: FailureDetails = {}) {
    const known = typeof why === "string" ? { words: why } : why;
    super(saidInEnglish(known));
    this.kind = kind;
    this.said = known;
    this.errorCode = errorCode;
    this.status = status;
    this.reason = reason;
  }
}

/** Nothing was sent, or the hub's own sign-in failed: what was asked is not to blame. */
export function isAboutTheLine({ kind, reason }: BackOfficeError): boolean {
  return kind === "login_refused" || kind === "session_dead" || isUnsent(reason);
}

/** No connection could be opened: the request never left. */
export function isUnsent(reason: BackOfficeFailureReason | undefined): boolean {
  return reason === "no_connection" || reason === "no_network";
}

/**
 * Errors of Odoo's database that pass: it is away, full, locked, or gave up one of two transactions. Any other, such as a
 * `NotNullViolation`, is about what was written.
 */
const PASSING_DATABASE_ERROR =
  /^psycopg2\.(errors\.|pool\.)?(OperationalError|InterfaceError|PoolError|SerializationFailure|DeadlockDetected|LockNotAvailable|QueryCanceled|\w+Shutdown|CannotConnectNow|TooManyConnections|DiskFull|OutOfMemory|ReadOnlySqlTransaction)$/;

/** The back-office decided against the request itself. */
export function isRefusal({ kind, errorCode = "" }: BackOfficeError): boolean {
  return kind === "refused" && !PASSING_DATABASE_ERROR.test(errorCode);
}

/** An exception from inside the server, such as Python's own or its database's; Odoo raises its own to refuse. */
export function isServerFault({ kind, errorCode = "" }: BackOfficeError): boolean {
  return kind === "refused" && /^(?!odoo\.)[a-z]\w*\./.test(errorCode);
}

/** The answer to one request arrived in the place of another's. */
export function mismatched(): BackOfficeError {
  return new BackOfficeError("unreachable", said("back_office_mismatched"), {
    reason: "mismatched",
  });
}

export function notABackOffice(why: Said, status: number | undefined): BackOfficeError {
  return new BackOfficeError("unreachable", why, { status, reason: "not_a_back_office" });
}
