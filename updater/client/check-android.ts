import type { BackOfficeUpdate } from "@comanda/protocol";
import type { CheckOutcome } from "./check.ts";
import { guardAddress, isNewer, offerOf } from "./guard-offer.ts";
import { describeProblem } from "./redact-addresses.ts";

/**
 * The check of an Android app around the terminal. `ask` has the hub ask the back-office, the only one with releases of it;
 * the system's browser downloads what is offered. Never throws: a check must not block the order screen.
 */
export async function checkAndroidUpdate(
  installedVersion: string,
  ask: () => Promise<BackOfficeUpdate | null>,
): Promise<CheckOutcome> {
  try {
    const update = await ask();
    if (update === null || !isNewer(update.version, installedVersion)) return { kind: "up-to-date" };
    return { kind: "available", offer: offerOf({ ...update, url: guardAddress(update.url) }) };
  } catch (error) {
    return { kind: "failed", problem: describeProblem(error) };
  }
}
