import type { PendingPin } from "@comanda/terminal";

/** What happened to the token of refused changes, as far as texts distinguish it. */
export type TokenEnd = "expired" | "revoked" | "forgotten" | "approval" | "other";

export function tokenEndOf(refusedToken: PendingPin["refusedToken"]): TokenEnd {
  if (refusedToken === null) return "other";
  const { of, why } = refusedToken;
  if (of === "approval") return "approval";
  if (why === "expired") return why;
  if (why === "pin_revoked") return "revoked";
  return why === "device_forgotten" ? "forgotten" : "other";
}
