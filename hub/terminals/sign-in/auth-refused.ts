import type { ErrorCode, HubMessageOf } from "@comanda/protocol";

/** Why a terminal may not sign in, and the close code for it. */
export class AuthRefused extends Error {
  override readonly name = "AuthRefused";
  readonly errorCode: ErrorCode;
  readonly closeCode: number;
  readonly details: RefusalDetails;

  constructor(errorCode: ErrorCode, closeCode: number, message: string, details: RefusalDetails = {}) {
    super(message);
    this.errorCode = errorCode;
    this.closeCode = closeCode;
    this.details = details;
  }
}

/** What AUTH_FAILED carries besides the code and the sentence. */
type RefusalDetails = Pick<HubMessageOf<"AUTH_FAILED">, "hubId" | "minClientVersion">;
