import { OperatorUser } from "@comanda/protocol";
import { z } from "zod";
import { createStore, useStore } from "@comanda/ui/store.ts";

/**
 * `expired`: the token is no longer valid. The screen stays behind the new sign-in, with what was being typed. `pinUntil`: the
 * latest end of a session that a PIN has opened (ISO 8601).
 */
export type Session =
  | { state: "out" }
  | { state: "in"; token: string; user: OperatorUser; pinUntil?: string | undefined }
  | { state: "expired"; user: OperatorUser };

const STORED_AS = "comanda-session";
const Stored = z.object({ token: z.string(), user: OperatorUser, pinUntil: z.string().optional() });

/** The messages between the tabs of one browser. `answer` replies to `ask`. */
const TabMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ask") }),
  z.object({ kind: z.literal("answer"), session: Stored }),
  z.object({ kind: z.literal("in"), session: Stored }),
  z.object({ kind: z.literal("out") }),
]);
type TabMessage = z.infer<typeof TabMessage>;

let otherTabs: BroadcastChannel | null = null;

/** The manager signed in here. Each tab keeps it in session storage: it survives a reload, but not the last tab. */
export const session = createStore<Session>(restore());

/** Signs in every tab of this browser. */
export function signIn(token: string, user: OperatorUser, pinUntil?: string): void {
  adopt({ token, user, pinUntil });
  broadcast({ kind: "in", session: { token, user, pinUntil } });
}

/** Signs out every tab of this browser. */
export function signOut(): void {
  forget();
  broadcast({ kind: "out" });
}

/**
 * Shares the sign-in with the other tabs of this browser from now on, and adopts theirs if this tab has none. Tabs send it to
 * each other in memory: shared storage would outlive them.
 */
export function shareSession(): void {
  otherTabs = new BroadcastChannel(STORED_AS);
  otherTabs.addEventListener("message", ({ data }) => {
    const message = TabMessage.safeParse(data);
    if (message.success) handle(message.data);
  });
  if (session.get().state === "out") broadcast({ kind: "ask" });
}

function handle(message: TabMessage): void {
  const current = session.get();
  switch (message.kind) {
    case "ask":
      if (current.state === "in") {
        const { token, user, pinUntil } = current;
        broadcast({ kind: "answer", session: { token, user, pinUntil } });
      }
      break;
    case "answer":
      // A newer sign-in may have arrived before this answer.
      if (current.state === "out") adopt(message.session);
      break;
    case "in":
      adopt(message.session);
      break;
    case "out":
      forget();
      break;
  }
}

function broadcast(message: TabMessage): void {
  otherTabs?.postMessage(message);
}

function adopt(stored: z.infer<typeof Stored>): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify(stored));
  session.set({ state: "in", ...stored });
}

function forget(): void {
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "out" });
}

/** Expires the session: the hub no longer accepts this token. Does nothing if the token was replaced in the meantime. */
export function expireSession(token: string): void {
  const current = session.get();
  if (current.state !== "in" || current.token !== token) return;
  sessionStorage.removeItem(STORED_AS);
  session.set({ state: "expired", user: current.user });
}

/** Returns the token to send, or null if signed out. */
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

/** Returns the latest end of the session if a PIN opened it, or null for a session of the back-office. */
export function usePinUntil(): string | null {
  const current = useSession();
  return current.state === "in" ? (current.pinUntil ?? null) : null;
}

export function useIsManager(): boolean {
  return useSession().state === "in";
}
