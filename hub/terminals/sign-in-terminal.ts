import { CloseCode, PROTOCOL_VERSION, type Auth, type ErrorCode, type HubMessageOf } from "@comanda/protocol";
import type { Identified } from "../back-office/identities.ts";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import { HubError } from "../platform/errors.ts";
import { isTooOld } from "./client-version.ts";
import type { TerminalDeps } from "./terminal-room.ts";

/** Why a terminal is not let in, and the close code that says so. */
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

/** What AUTH_FAILED tells beside the code and the sentence. */
type RefusalDetails = Pick<HubMessageOf<"AUTH_FAILED">, "hubId" | "minClientVersion">;

/** Finds out who is at a terminal that connects from `peer`. Throws AuthRefused. */
export async function signInTerminal(room: TerminalDeps, auth: Auth, peer: string): Promise<Identified> {
  if (auth.protocolVersion < PROTOCOL_VERSION) {
    const sentence = `this hub speaks protocol ${PROTOCOL_VERSION}; update this terminal`;
    throw new AuthRefused("PROTOCOL_TOO_OLD", CloseCode.protocolTooOld, sentence);
  }
  const minClientVersion = room.pos.minClientVersion();
  if (minClientVersion !== null && isTooOld(auth.clientVersion, minClientVersion)) {
    const sentence = `this terminal has version ${auth.clientVersion}, and ${minClientVersion} or later is needed; update it`;
    throw new AuthRefused("CLIENT_TOO_OLD", CloseCode.protocolTooOld, sentence, { minClientVersion });
  }
  try {
    if (auth.token !== "") return await room.identities.identifyTerminal(auth.token, peer);
    if (room.config.devAuth) return await room.identities.identifySelf();
  } catch (error) {
    throw asRefusal(error);
  }
  throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "token: sign in at the back-office first");
}

function asRefusal(error: unknown): unknown {
  if (error instanceof HubError) return new AuthRefused(error.code, CloseCode.backOfficeUnreachable, error.message);
  if (!(error instanceof BackOfficeError)) return error;
  if (error.kind === "unreachable") {
    const isBusy = error.reason === "busy";
    const sentence = isBusy
      ? error.message
      : "the back-office cannot be reached and this hub does not know this session yet";
    return new AuthRefused("UPSTREAM_UNAVAILABLE", CloseCode.backOfficeUnreachable, sentence);
  }
  const isSignedOut = error.reason === "signed_out";
  const sentence = isSignedOut
    ? `${error.message}; sign in again`
    : `the back-office refuses this token: ${error.message}`;
  return new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, sentence);
}
