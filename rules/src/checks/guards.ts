import type { StoredOrder } from "@comanda/protocol";
import { isLocked } from "@comanda/protocol/order-status.ts";
import type { HubKnowledge, RuleContext } from "../context.ts";
import type { CheckRefusal } from "./check-refusal.ts";

/** Refuses a check that is checked out, paid or closed. */
export function refusalOfLock({ posReference, snapshot: { status } }: StoredOrder): CheckRefusal | null {
  return isLocked(status) ? { code: "LOCKED", values: { posReference, status } } : null;
}

/** Refuses a check that somebody else has open. */
export function refusalOfLease(
  hub: Pick<HubKnowledge, "otherHolder"> | null,
  posReference: string,
): CheckRefusal | null {
  const holder = hub?.otherHolder(posReference) ?? null;
  if (holder === null) return null;
  const { userName, terminalId } = holder;
  return { code: "LEASED", values: { posReference, userName, terminalId } };
}

/** Refuses a base version above that of the check, or one that other writers have moved on from. */
export function refusalOfVersion(
  hub: Pick<HubKnowledge, "hasOtherWriter"> | null,
  { posReference, version }: StoredOrder,
  baseVersion: number,
): CheckRefusal | null {
  const isCurrent =
    baseVersion === version || (baseVersion < version && hub?.hasOtherWriter(posReference, baseVersion) !== true);
  return isCurrent ? null : { code: "MOVED_ON", values: { posReference, version, baseVersion } };
}

/** Refuses a change of a check that takes none now, or not by this writer, or not of this version. */
export function refusalOfChange(
  hub: HubKnowledge | null,
  check: StoredOrder,
  baseVersion: number,
): CheckRefusal | null {
  return refusalOfLock(check) ?? refusalOfLease(hub, check.posReference) ?? refusalOfVersion(hub, check, baseVersion);
}

/** Why no check can be opened now; null when one can. Those that are open go on either way. */
export function refusalOfNewChecks({
  menu,
  session,
}: Pick<RuleContext, "session"> & { menu: { hubMode?: boolean } | null }): CheckRefusal | null {
  if (menu?.hubMode === false) return { code: "NO_NEW_CHECKS", values: { why: "hub_mode_off" } };
  return session?.active === false ? { code: "NO_NEW_CHECKS", values: { why: "session_closed" } } : null;
}
