import type { HqProviderFailure } from "@comanda/protocol/headquarters.ts";

const reasons = ["denied", "invalid", "unknown", "unreachable", "unverified"] as const satisfies HqProviderFailure[];

/** Why the sign-in by the identity provider came to nothing from which the browser comes back; null where it does not. */
let failure = readFailure();

/** Takes it out of the address, so that it is not said once more when the page is opened again. */
function readFailure(): HqProviderFailure | null {
  const reason = new URLSearchParams(location.search).get("signin");
  if (reason !== null) history.replaceState(null, "", location.pathname + location.hash);
  return reasons.find((each) => each === reason) ?? null;
}

/** Answers it once. */
export function takeProviderFailure(): HqProviderFailure | null {
  const taken = failure;
  failure = null;
  return taken;
}
