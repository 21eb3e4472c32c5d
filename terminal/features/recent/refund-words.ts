import type { Menu } from "@comanda/protocol";
import type { Actor, SignedIn } from "@comanda/terminal";

/** Why nothing was given back, as the screen says it. */
export type RefundRefusal =
  | "FORBIDDEN"
  | "CONFIRMATION_NEEDED"
  | "ACTOR_REFUSED"
  | "NOT_FOUND"
  | "ORDER_LOCKED"
  | "ORDER_HAS_NO_NCF"
  | "ALREADY_CREDITED"
  | "NOTHING_VOIDED"
  | "NCF_EXHAUSTED"
  | "unreachable"
  | "other";

const said: ReadonlySet<string> = new Set([
  "FORBIDDEN",
  "CONFIRMATION_NEEDED",
  "ACTOR_REFUSED",
  "NOT_FOUND",
  "ORDER_LOCKED",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] satisfies RefundRefusal[]);

/** By the code of the hub or the back-office. */
export function refundRefusal(code: string): RefundRefusal {
  if (code === "UPSTREAM_UNAVAILABLE") return "unreachable";
  return said.has(code) ? (code as RefundRefusal) : "other";
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
