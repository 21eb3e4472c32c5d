import type { Role } from "@comanda/protocol";
import type { Actor, PinUser, SignedIn } from "@comanda/terminal";
import { useLive } from "../lib/connection/pos.ts";

/** Returns the role of the acting user, or null if this device does not know it. */
export function roleOf(actor: Actor | null, signedIn: SignedIn | null, people: readonly PinUser[]): Role | null {
  const id = String(actor?.user.id ?? signedIn?.user.id);
  if (String(signedIn?.user.id) === id) return signedIn?.user.role ?? null;
  return people.find((person) => String(person.id) === id)?.role ?? null;
}

/**
 * Whether the acting user is a cashier or manager, who may take money and give discounts without approval. True if unknown: the
 * hub then decides.
 */
export function useIsCashier(): boolean {
  return roleOf(useLive("actor"), useLive("signedIn"), useLive("people")) !== "waiter";
}
