import { OperatorUser } from "@comanda/protocol";
import { z } from "zod";
import { createStore, useStore } from "./store.ts";

/** `expired`: somebody was signed in and the token died; what they were typing stays on the screen behind the sign-in. */
export type Session =
  | { state: "out" }
  | { state: "in"; token: string; user: OperatorUser }
  | { state: "expired"; user: OperatorUser };

const STORED_AS = "comanda-session";
const Stored = z.object({ token: z.string(), user: OperatorUser });

/** The manager of this window. Kept for the window's life, so that a reload does not sign out; never on the disk for longer. */
export const session = createStore<Session>(restore());

export function signIn(token: string, user: OperatorUser): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify({ token, user }));
  session.set({ state: "in", token, user });
}

export function signOut(): void {
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "out" });
}

/** The hub no longer takes this token. A token that has been replaced meanwhile is left alone. */
export function expire(token: string): void {
  const current = session.get();
  if (current.state !== "in" || current.token !== token) return;
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "expired", user: current.user });
}

/** The token to send, if somebody is signed in. */
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

export function useIsManager(): boolean {
  return useSession().state === "in";
}
