import { createContext, useContext, useEffect } from "react";
import type { StreamEvent } from "@comanda/protocol";
import { createLive, type Connection, type Live } from "./live.ts";
import { useStore } from "./store.ts";

export const LiveContext = createContext<Live>(createLive());

export function useLive(): Live {
  return useContext(LiveContext);
}

export function useConnection(): Connection {
  return useStore(useLive().connection);
}

/** Calls `handle` with every batch of events while the component is shown. */
export function useLiveEvents(handle: (events: readonly StreamEvent[]) => void): void {
  const live = useLive();
  useEffect(() => live.onEvents(handle), [live, handle]);
}
