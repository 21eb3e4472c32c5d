import type { Actor, SignedIn } from "@comanda/terminal";

/** Why a credit note was not made, as the screen says it. */
export type CreditNoteRefusal =
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "ORDER_HAS_NO_NCF"
  | "ALREADY_CREDITED"
  | "NOTHING_VOIDED"
  | "NCF_EXHAUSTED"
  | "unreachable"
  | "other";

const said: readonly string[] = [
  "FORBIDDEN",
  "NOT_FOUND",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] satisfies CreditNoteRefusal[];

/** The hub's or the back-office's code; null: neither answered. */
export function creditNoteRefusal(code: string | null): CreditNoteRefusal {
  if (code === null || code === "UPSTREAM_UNAVAILABLE") return "unreachable";
  return said.includes(code) ? (code as CreditNoteRefusal) : "other";
}

/**
 * Why this person cannot ask for a credit note here: the back-office makes it in the name of the session's user, so that
 * nobody else may use that session for it, and the user needs the permission. Null: they may.
 */
export function creditNoteBar(
  signedIn: SignedIn | null,
  actor: Actor | null,
): "offline" | "otherUser" | "permission" | null {
  if (signedIn === null) return "offline";
  if (actor !== null && String(actor.user.id) !== String(signedIn.user.id)) return "otherUser";
  return signedIn.user.permissions?.includes("refund") === true ? null : "permission";
}
