import type { Role } from "@comanda/protocol";
import type { Actor, PinUser, SignedIn } from "@comanda/terminal";
import { useLive } from "../lib/connection/pos.ts";

/** The role of the person who acts, as far as this device knows it; null while it does not. */
export function roleOf(actor: Actor | null, signedIn: SignedIn | null, people: readonly PinUser[]): Role | null {
  const id = String(actor?.user.id ?? signedIn?.user.id);
  if (String(signedIn?.user.id) === id) return signedIn?.user.role ?? null;
  return people.find((person) => String(person.id) === id)?.role ?? null;
}

/**
 * Whether the one who acts is a cashier or manager, who take money and give discounts without asking somebody. Where nobody
 * knows, the hub decides.
 */
export function useIsCashier(): boolean {
  return roleOf(useLive("actor"), useLive("signedIn"), useLive("people")) !== "waiter";
}
