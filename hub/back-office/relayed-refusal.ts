import type { ErrorCode } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { BackOfficeError } from "./back-office-error.ts";

/** Codes of the back-office that mean the same here. */
const RELAYED = [
  "FORBIDDEN",
  "NOT_FOUND",
  "NO_ACTIVE_SESSION",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] as const satisfies ErrorCode[];

/** The back-office's refusal in its own words, with its code where that means the same here. */
export function refusedInWords(words: string, errorCode: string | null): HubError {
  const code = RELAYED.find((known) => known === errorCode) ?? "VALIDATION_ERROR";
  const refusal: HubError = new HubError(code, words);
  refusal.explanation = { backOffice: { words, errorCode } };
  return refusal;
}

/** Why a call for a person failed, for that person: in the back-office's own words where it refused. */
export function relayedRefusal({ kind, message, errorCode }: BackOfficeError): HubError {
  switch (kind) {
    case "unreachable":
      return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached for this");
    case "session_dead":
    case "login_refused":
      return new HubError("UNAUTHENTICATED", "this back-office session is dead; sign in again");
    case "refused":
      return refusedInWords(message, errorCode ?? null);
  }
}
