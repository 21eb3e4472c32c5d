import type { Scope } from "../access/keys.ts";
import type { UncountedMethod } from "../money/tills.ts";
import type { Snapshot } from "../orders/orders.ts";
import type { RefusedToken } from "../access/refused-token.ts";

/** Every error code of the hub with its HTTP status. Clients branch on the code. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  TOTALS_MISMATCH: 400,
  NCF_INVALID: 400,
  UNKNOWN_TABLE: 400,
  UNKNOWN_TYPE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  DEVICE_TAKEN: 403,
  ACTOR_REFUSED: 403,
  CONFIRMATION_NEEDED: 403,
  NOT_FOUND: 404,
  NO_ACTIVE_SESSION: 409,
  TABLE_OCCUPIED: 409,
  PARTY_SEATED: 409,
  ORDER_LOCKED: 409,
  SENT_LINES_IMMUTABLE: 409,
  ITEM_OUT: 409,
  HAS_PAYMENTS: 409,
  CREDIT_REFUSED: 409,
  RATE_CHANGED: 409,
  NCF_IN_USE: 409,
  NCF_EXHAUSTED: 409,
  ORDER_HAS_NO_NCF: 409,
  ALREADY_CREDITED: 409,
  NOTHING_VOIDED: 409,
  CONFLICT: 409,
  LEASE_HELD: 409,
  SHIFT_OPEN: 409,
  SHIFT_CLOSED: 409,
  NO_TILL: 404,
  APPROVAL_NEEDED: 403,
  LIMIT_REACHED: 409,
  MUTATION_TOO_OLD: 409,
  DISMISSED: 409,
  PRINTING: 409,
  PAYLOAD_TOO_LARGE: 413,
  MISDIRECTED_REQUEST: 421,
  PROTOCOL_TOO_OLD: 426,
  CLIENT_TOO_OLD: 426,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_UNAVAILABLE: 503,
  NOT_CONFIGURED: 503,
  STORAGE_FULL: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;
export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** Codes for which the same request may succeed later. */
export const retryableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "UPSTREAM_UNAVAILABLE",
  "NOT_CONFIGURED",
  "STORAGE_FULL",
  "LEASE_HELD",
  "NO_ACTIVE_SESSION",
]);

/** The check that a table or party already has. */
interface ExistingCheck {
  posReference: string;
  checkNumber?: number | null;
  staffName?: string | null;
}

/** Extra fields of an error body, by code. */
export interface ErrorDetails {
  TABLE_OCCUPIED: { existing: ExistingCheck };
  PARTY_SEATED: { existing: ExistingCheck };
  ITEM_OUT: { lineId: string };
  RATE_CHANGED: { rates: { currency: string; sent: number; now: number } };
  CONFLICT:
    | { hubVersion: number; snapshot: Snapshot }
    | { settledAt: string }
    | { version: number }
    | { receiptState: string | null };
  ORDER_LOCKED: { hubVersion?: number; snapshot?: Snapshot };
  FORBIDDEN: { requiredScope?: Scope };
  ACTOR_REFUSED: { refusedToken: RefusedToken };
  VALIDATION_ERROR: { uncounted?: UncountedMethod[] };
}

/** The body of every failed request. */
export interface ErrorBody {
  error: string;
  errorCode: ErrorCode;
  [detail: string]: unknown;
}
