import { CloseCode } from "@comanda/protocol";
import type { Identity } from "../../back-office/session-calls.ts";
import type { HourlyCounts } from "../../people/hourly-counts.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { AuthRefused } from "./auth-refused.ts";

/**
 * So many devices that the hub has never seen may one user sign in at within an hour, and so many one address: more than
 * twice the fifteen tablets of an opening day, each of which may come back once under a new name.
 */
export const MAX_NEW_DEVICES = 40;

export type NewDevices = ReturnType<typeof createNewDevices>;

/** A device costs nothing to make up: bounds how many somebody brings. A manager's are not counted. */
export function createNewDevices(counts: HourlyCounts) {
  /** The hub's own computer is no address that is refused. */
  function subjectsOf({ userId }: Identity, address: string): string[] {
    return [`devices of user ${userId}`, ...(isLoopback(address) ? [] : [`devices of address ${address}`])];
  }

  return {
    /** Inside the write that makes the device known. Throws AuthRefused. */
    admit(user: Identity, address: string): void {
      for (const subject of subjectsOf(user, address)) {
        if (counts.count(subject) >= MAX_NEW_DEVICES) throw tooMany();
        counts.note(subject);
      }
    },
  };
}

function tooMany(): AuthRefused {
  return new AuthRefused(
    "RATE_LIMITED",
    CloseCode.forbidden,
    `${MAX_NEW_DEVICES} new devices within an hour: sign in at one that the hub knows, have a manager sign in here, or wait`,
  );
}
