/** HTTP status of each refusal code. */
export const refusalStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  ENROLMENT_CODE_WRONG: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  KEY_IN_USE: 409,
  HUB_IN_USE: 409,
  ENROLMENT_CODE_USED: 409,
  REFUSED_BY_RESTAURANT: 409,
  ENROLMENT_CODE_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  TOO_MANY_TRIES: 429,
  INTERNAL_ERROR: 500,
  UNREACHABLE: 503,
  DATABASE_UNAVAILABLE: 503,
} as const;
export type RefusalCode = keyof typeof refusalStatus;

/** A refused request. The client can act on its code. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
