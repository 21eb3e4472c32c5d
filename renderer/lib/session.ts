import { OperatorUser } from "@comanda/protocol";
import { z } from "zod";
import { createStore, useStore } from "./store.ts";

/** `expired`: the token is no longer valid; the screen stays behind the new sign-in, with what was being typed. */
export type Session =
  | { state: "out" }
  | { state: "in"; token: string; user: OperatorUser }
  | { state: "expired"; user: OperatorUser };

const STORED_AS = "comanda-session";
const Stored = z.object({ token: z.string(), user: OperatorUser });

/** The manager of this window. Kept in session storage: it survives a reload, and not the window. */
export const session = createStore<Session>(restore());

export function signIn(token: string, user: OperatorUser): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify({ token, user }));
  session.set({ state: "in", token, user });
}

export function signOut(): void {
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "out" });
}

/** The hub no longer accepts this token. Does nothing when the token has been replaced in the meantime. */
export function expire(token: string): void {
  const current = session.get();
  if (current.state !== "in" || current.token !== token) return;
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "expired", user: current.user });
}

/** The token to send, or null when signed out. */
export function currentToken(): string | null {
  const current = session.get();
  return current.state === "in" ? current.token : null;
}

function restore(): Session {
  try {
    const stored = Stored.safeParse(JSON.parse(sessionStorage.getItem(STORED_AS) ?? "null"));
    return stored.success ? { state: "in", ...stored.data } : { state: "out" };
  } catch {
    return { state: "out" };
  }
}

export function useSession(): Session {
  return useStore(session);
}

/** Whether the back-office lets this manager make credit notes. */
export function useMayRefund(): boolean {
  const current = useSession();
  return current.state !== "out" && current.user.permissions?.includes("refund") === true;
}

export function useIsManager(): boolean {
  return useSession().state === "in";
}
