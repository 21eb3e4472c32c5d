import { session, type Session } from "./session.ts";
import { useStore } from "./use-store.ts";

export function useSession(): Session {
  return useStore(session);
}

export function useIsManager(): boolean {
  return useSession().state === "in";
}
