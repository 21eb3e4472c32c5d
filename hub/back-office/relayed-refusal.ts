import type { ErrorCode } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { BackOfficeError } from "./back-office-error.ts";

/** Error codes of the back-office that have the same meaning here. */
const RELAYED = [
  "FORBIDDEN",
  "NOT_FOUND",
  "NO_ACTIVE_SESSION",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] as const satisfies ErrorCode[];

/** Converts a refusal of the back-office to a HubError in its words, with its code if that is in RELAYED. */
export function relayedError(message: string, errorCode: string | null): HubError {
  const code = RELAYED.find((relayed) => relayed === errorCode) ?? "VALIDATION_ERROR";
  const refusal: HubError = new HubError(code, message);
  refusal.explanation = { backOffice: { words: message, errorCode } };
  return refusal;
}

/** Converts the failure of a user's call to a HubError; a refusal keeps the words of the back-office. */
export function relayedRefusal({ kind, message, errorCode }: BackOfficeError): HubError {
  switch (kind) {
    case "unreachable":
      return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached for this");
    case "session_dead":
    case "login_refused":
      return new HubError("UNAUTHENTICATED", "this back-office session is no longer valid; sign in again");
    case "refused":
      return relayedError(message, errorCode ?? null);
  }
}
