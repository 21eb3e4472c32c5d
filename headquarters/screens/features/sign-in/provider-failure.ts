import type { HqProviderFailure } from "@comanda/protocol/headquarters.ts";

const reasons = ["denied", "invalid", "unknown", "unreachable", "unverified"] as const satisfies HqProviderFailure[];

/** Why the sign-in failed from which the identity provider sent the browser back; null if there was none. */
let failure = readFailure();

/** Reads the reason, and removes it from the address so that a reload does not show it again. */
function readFailure(): HqProviderFailure | null {
  const reason = new URLSearchParams(location.search).get("signin");
  if (reason !== null) history.replaceState(null, "", location.pathname + location.hash);
  return reasons.find((each) => each === reason) ?? null;
}

/** Returns the reason once, and null after that. */
export function takeProviderFailure(): HqProviderFailure | null {
  const current = failure;
  failure = null;
  return current;
}
