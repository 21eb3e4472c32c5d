import { existsSync } from "node:fs";
import type { OfferedBackups } from "@comanda/protocol";
import type { DesktopHub } from "../hub/desktop-hub.ts";

/**
 * Restores backups without a manager, for a new PC: only until the first setup is finished, or while the hub cannot start. The
 * page sees only the backups at a place that the operator named.
 */
export function createRestoreOffer(deps: { hub: DesktopHub; isConfigured: () => boolean }) {
  const { hub, isConfigured } = deps;
  /** Returns why restoring is not allowed now, or null. */
  function refusal(): string | null {
    const isAllowed = !isConfigured() || hub.state().state === "failed";
    return isAllowed ? null : "The first setup is finished: a manager restores backups under System, Backups.";
  }

  return {
    refusal,

    async find(place: string): Promise<OfferedBackups> {
      const refused = refusal();
      if (refused !== null) return { ok: false, reason: "not_first_run", error: refused };
      if (!existsSync(place)) return { ok: false, reason: "missing", error: `There is nothing at ${place}.` };
      try {
        const { good, bad } = await hub.findBackups(place);
        if (good.length === 0) {
          return { ok: false, reason: bad.length === 0 ? "none" : "damaged", error: bad.join("; ") };
        }
        const backups = good.map(({ path, restaurant, createdAt, bytes, orders, activeOrders }) => {
          return { path, restaurant, createdAt: new Date(createdAt).toISOString(), bytes, orders, activeOrders };
        });
        return { ok: true, backups };
      } catch (error) {
        return { ok: false, reason: "failed", error: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
