import type { BackOfficeUpdate } from "@comanda/protocol";
import type { CheckOutcome } from "./check.ts";
import { guardAddress, isNewer, offerOf } from "./guard-offer.ts";
import { describeProblem } from "./redact-addresses.ts";

/**
 * Checks for an update of the Android app around the terminal. `fetchUpdate` has the hub query the back-office, which alone
 * has its releases. The system's browser downloads an offer. Never throws: a check must not block the order screen.
 */
export async function checkAndroidUpdate(
  installedVersion: string,
  fetchUpdate: () => Promise<BackOfficeUpdate | null>,
): Promise<CheckOutcome> {
  try {
    const update = await fetchUpdate();
    if (update === null || !isNewer(update.version, installedVersion)) return { kind: "up-to-date" };
    return { kind: "available", offer: offerOf({ ...update, url: guardAddress(update.url) }) };
  } catch (error) {
    return { kind: "failed", problem: describeProblem(error) };
  }
}
