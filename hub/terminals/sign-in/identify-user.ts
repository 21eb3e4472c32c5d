import { Auth, CloseCode, PROTOCOL_VERSION } from "@comanda/protocol";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identified } from "../../back-office/confirmations.ts";
import { describeIssues } from "../../platform/describe-issues.ts";
import { HubError } from "../../platform/errors.ts";
import { parseJson } from "../../platform/parse-json.ts";
import { presentFields } from "../messages/present-fields.ts";
import { AuthRefused } from "./auth-refused.ts";
import { isTooOld } from "./client-version.ts";
import type { TerminalDeps } from "../terminal-deps.ts";

/** Identifies the user of a terminal that connects from `peer`. Throws AuthRefused. */
export async function identifyUser(
  { config, identities, pos }: Pick<TerminalDeps, "config" | "identities" | "pos">,
  auth: Auth,
  peer: string,
): Promise<Identified> {
  if (auth.protocolVersion < PROTOCOL_VERSION) {
    const sentence = `this hub speaks protocol ${PROTOCOL_VERSION}; update this terminal`;
    throw new AuthRefused("PROTOCOL_TOO_OLD", CloseCode.protocolTooOld, sentence);
  }
  const minClientVersion = pos.minClientVersion();
  if (minClientVersion !== null && isTooOld(auth.clientVersion, minClientVersion)) {
    const sentence = `this terminal has version ${auth.clientVersion}, and ${minClientVersion} or later is needed; update it`;
    throw new AuthRefused("CLIENT_TOO_OLD", CloseCode.protocolTooOld, sentence, { minClientVersion });
  }
  try {
    if (auth.token !== "") return await identities.identify(auth.token, peer);
    if (config.devAuth) return await identities.identifySelf();
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

/** Parses the first message of a connection. Throws AuthRefused. */
export function readAuth(text: string): Auth {
  const value = parseJson(text);
  const fields = typeof value === "object" && value !== null ? presentFields(value) : {};
  if (fields["type"] !== "AUTH") {
    throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "the first message must be AUTH");
  }
  const parsed = Auth.safeParse(fields);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path[0]);
  if (names.includes("token")) {
    throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "token: is not a back-office session");
  }
  const isDevice = names.includes("deviceId");
  const closeCode = isDevice ? CloseCode.forbidden : CloseCode.unauthenticated;
  throw new AuthRefused("VALIDATION_ERROR", closeCode, describeIssues(parsed.error));
}
