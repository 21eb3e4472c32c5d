import type { ErrorCode, Snapshot } from "./types.ts";

/** The hub refused the call; branch on `errorCode`. */
export class HubRefusal extends Error {
  override readonly name = "HubRefusal";
  readonly status: number;
  readonly errorCode: ErrorCode;
  /** With CONFLICT: the version and state to base the next attempt on. */
  readonly hubVersion: number | undefined;
  readonly snapshot: Snapshot | undefined;
  /** With TABLE_OCCUPIED: the order on that table. */
  readonly existing: { posReference: string } | undefined;
  /** With FORBIDDEN: the scope that the key lacks. */
  readonly requiredScope: string | undefined;

  constructor(status: number, body: RefusalBody) {
    super(body.error);
    this.status = status;
    this.errorCode = body.errorCode;
    this.hubVersion = body.hubVersion;
    this.snapshot = body.snapshot;
    this.existing = body.existing;
    this.requiredScope = body.requiredScope;
  }
}

export interface RefusalBody {
  error: string;
  errorCode: ErrorCode;
  hubVersion?: number;
  snapshot?: Snapshot;
  existing?: { posReference: string };
  requiredScope?: string;
}

/** There was no connection, no response in time, or a response that is not from the hub. */
export class HubUnreachable extends Error {
  override readonly name = "HubUnreachable";
}

/** A webhook whose signature is wrong or too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}
