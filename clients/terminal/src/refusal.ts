import type { ErrorCode, LeaseHolder } from "@comanda/protocol";

/** A refusal by the library or the hub; `code` says why. */
export class TerminalRefusal extends Error {
  override name = "TerminalRefusal";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Another terminal holds the lease or the table lock. */
export class LeaseDeniedError extends TerminalRefusal {
  override name = "LeaseDeniedError";
  readonly holder: LeaseHolder | null;
  constructor(code: ErrorCode, message: string, holder: LeaseHolder | null) {
    super(code, message);
    this.holder = holder;
  }
}

/** The hub did not answer in time. */
export class RequestTimedOutError extends Error {
  override name = "RequestTimedOutError";
}

/** The hub could not be reached over HTTP, or its answer was unreadable. */
export class HubUnreachableError extends Error {
  override name = "HubUnreachableError";
}
