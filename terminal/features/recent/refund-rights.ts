import type { Menu } from "@comanda/protocol";
import type { Actor, SignedIn } from "@comanda/terminal";

/** Error codes with a more specific text for refunds. */
const refundCodes = ["FORBIDDEN", "NOT_FOUND", "ORDER_LOCKED", "VALIDATION_ERROR"] as const;

/** Returns the code if it has a text of its own for refunds, otherwise null. */
export function refundRefusal(code: string): (typeof refundCodes)[number] | null {
  return refundCodes.find((each) => each === code) ?? null;
}

/** Codes about the user, the connection or the hub itself, whatever the request. */
const generalCodes: ReadonlySet<string> = new Set([
  "ACTOR_REFUSED",
  "CONFIRMATION_NEEDED",
  "FORBIDDEN",
  "INTERNAL_ERROR",
  "RATE_LIMITED",
  "STORAGE_FULL",
  "UNAUTHENTICATED",
  "UPSTREAM_UNAVAILABLE",
]);

/** Whether a refusal answers the refund itself. Others leave open whether an earlier attempt was made. */
export function isAboutRefund(code: string): boolean {
  return !generalCodes.has(code);
}

/** How this user may refund: alone, with approval, or by trying first; or why not at all. */
export type RefundRight = "own" | "ask" | "try" | "offline" | "otherUser" | "permission";

/**
 * Returns the user's right to refund. The session's own permission is known; that of a user with a PIN only the hub knows. If
 * the back-office accepts no refund on behalf of others, only the session's user can refund.
 */
export function refundRight(
  signedIn: SignedIn | null,
  actor: Actor | null,
  creditNotes: Menu["creditNotes"],
): RefundRight {
  if (signedIn === null) return "offline";
  const isSessions = actor === null || String(actor.user.id) === String(signedIn.user.id);
  if (isSessions && signedIn.user.permissions?.includes("refund") === true) return "own";
  if (creditNotes?.onBehalfOf === true) return isSessions ? "ask" : "try";
  return isSessions ? "permission" : "otherUser";
}
