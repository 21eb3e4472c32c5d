import { createHubHttpWith, HubUnreachableError, TerminalRefusal, trustingSchemas } from "@comanda/terminal";
import type { Account } from "./account.ts";
import { hubAddress } from "./hub-address.ts";

export type SignInFailure = "wrong" | "tooMany" | "unreachable" | "other";

/** Opens a back-office session through the hub. Never throws. */
export async function signIn(
  login: string,
  password: string,
): Promise<{ account: Account } | { failed: SignInFailure }> {
  try {
    return { account: await createHubHttpWith(trustingSchemas, { url: hubAddress }).signIn({ login, password }) };
  } catch (error) {
    if (error instanceof TerminalRefusal) return { failed: kindOf(error.code) };
    return { failed: error instanceof HubUnreachableError ? "unreachable" : "other" };
  }
}

function kindOf(code: string): SignInFailure {
  if (code === "UNAUTHENTICATED" || code === "INVALID_CREDENTIALS") return "wrong";
  if (code === "RATE_LIMITED") return "tooMany";
  return code === "UPSTREAM_UNAVAILABLE" ? "unreachable" : "other";
}
