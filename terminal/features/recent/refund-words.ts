import type { Menu } from "@comanda/protocol";
import type { Actor, SignedIn } from "@comanda/terminal";

/** The codes that say more of a refund than they say elsewhere. */
const ofRefunds = ["FORBIDDEN", "NOT_FOUND", "ORDER_LOCKED", "VALIDATION_ERROR"] as const;

/** Under which name the screen itself says why nothing was given back; null for what is the same everywhere. */
export function refundRefusal(code: string): (typeof ofRefunds)[number] | null {
  return ofRefunds.find((each) => each === code) ?? null;
}

/** What is said of who asks, of the line or of the hub itself, whatever is asked for. */
const ofAnyRequest: ReadonlySet<string> = new Set([
  "ACTOR_REFUSED",
  "CONFIRMATION_NEEDED",
  "FORBIDDEN",
  "INTERNAL_ERROR",
  "RATE_LIMITED",
  "STORAGE_FULL",
  "UNAUTHENTICATED",
  "UPSTREAM_UNAVAILABLE",
]);

/** Whether a refusal says that nothing was given back: by another one a repeat learns nothing of what was asked for first. */
export function isAboutRefund(code: string): boolean {
  return !ofAnyRequest.has(code);
}

/** How this person may give back: by themselves, with somebody's approval, after an attempt of their own; or why not at all. */
export type RefundRight = "own" | "ask" | "try" | "offline" | "otherUser" | "permission";

/**
 * The session's own user is known to may or not. What somebody with a PIN may, the hub knows; where the back-office takes
 * the hub's word for nobody, only the session's own user can give back.
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
