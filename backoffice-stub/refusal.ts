import type { BackOfficeErrorCode } from "@comanda/protocol";

const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NO_ACTIVE_SESSION: 409,
  TABLE_IN_USE: 409,
  NCF_ALREADY_RESERVED: 409,
  NCF_EXHAUSTED: 409,
  NCF_USED: 409,
  NCF_CONFLICT: 422,
  TOTALS_MISMATCH: 422,
  NCF_INVALID: 422,
  ORDER_HAS_NO_NCF: 409,
  ALREADY_CREDITED: 409,
  NOTHING_VOIDED: 409,
  PAYLOAD_TOO_LARGE: 413,
  CLIENT_TOO_OLD: 426,
  INTERNAL_ERROR: 500,
} as const satisfies Record<BackOfficeErrorCode, number>;

/** A failure that the client branches on. Thrown inside a transaction, it also rolls that back. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly errorCode: string;
  readonly details: Record<string, unknown>;

  constructor(errorCode: BackOfficeErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = statusOf[errorCode];
    this.errorCode = errorCode;
    this.details = details;
  }

  body(): Record<string, unknown> {
    return { error: this.message, errorCode: this.errorCode, ...this.details };
  }
}

/** A test has set this order to be refused, with its own message and code. */
export class FinalizeRefused extends Refusal {
  override name = "FinalizeRefused";
  override readonly status = 422;
  override readonly errorCode: string;

  constructor(errorCode: string, message: string) {
    super("VALIDATION_ERROR", message);
    this.errorCode = errorCode;
  }
}
