import type { StoredOrder } from "@comanda/protocol";
import { isLocked } from "@comanda/protocol/order-status.ts";
import type { HubKnowledge, RuleContext } from "../context.ts";
import type { CheckRefusal } from "./check-refusal.ts";

/** Rejects a check that is checked out, paid or closed. */
export function refusalOfLock({ posReference, snapshot: { status } }: StoredOrder): CheckRefusal | null {
  return isLocked(status) ? { code: "LOCKED", values: { posReference, status } } : null;
}

/** Rejects a check that another user has open. */
export function refusalOfLease(
  hub: Pick<HubKnowledge, "otherHolder"> | null,
  posReference: string,
): CheckRefusal | null {
  const holder = hub?.otherHolder(posReference) ?? null;
  if (holder === null) return null;
  const { userName, terminalId } = holder;
  return { code: "LEASED", values: { posReference, userName, terminalId } };
}

/** Rejects a base version above the check's, or one after which other writers have changed the check. */
export function refusalOfVersion(
  hub: Pick<HubKnowledge, "hasOtherWriter"> | null,
  { posReference, version }: StoredOrder,
  baseVersion: number,
): CheckRefusal | null {
  const isCurrent =
    baseVersion === version || (baseVersion < version && hub?.hasOtherWriter(posReference, baseVersion) !== true);
  return isCurrent ? null : { code: "MOVED_ON", values: { posReference, version, baseVersion } };
}

/** Rejects a change of a check that is locked, leased to another user, or newer than the base version. */
export function refusalOfChange(
  hub: HubKnowledge | null,
  check: StoredOrder,
  baseVersion: number,
): CheckRefusal | null {
  return refusalOfLock(check) ?? refusalOfLease(hub, check.posReference) ?? refusalOfVersion(hub, check, baseVersion);
}

/** Returns why no check can be opened now, or null. Does not affect checks that are already open. */
export function refusalOfNewChecks({
  menu,
  session,
}: Pick<RuleContext, "session"> & { menu: { hubMode?: boolean } | null }): CheckRefusal | null {
  if (menu?.hubMode === false) return { code: "NO_NEW_CHECKS", values: { why: "hub_mode_off" } };
  return session?.active === false ? { code: "NO_NEW_CHECKS", values: { why: "session_closed" } } : null;
}
