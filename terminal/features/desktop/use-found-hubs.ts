import type { DesktopTerminalBridge, TerminalHub } from "@comanda/protocol";
import { useEffect, useState } from "react";

/** Pause between searches in ms: one that cannot listen on the network ends at once. */
const PAUSE_MS = 2_000;

/** Searches for hubs while mounted. Hubs keep their order, so that nothing moves under the finger. */
export function useFoundHubs(bridge: DesktopTerminalBridge): { hubs: readonly TerminalHub[]; hasSearched: boolean } {
  const [hubs, setHubs] = useState<readonly TerminalHub[]>([]);
  const [hasSearched, setSearched] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCancelled = false;
    const search = async () => {
      const found = await bridge.findHubs().catch(() => []);
      if (isCancelled) return;
      setHubs((before) => withFound(before, found));
      setSearched(true);
      timer = setTimeout(() => void search(), PAUSE_MS);
    };
    void search();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [bridge]);
  return { hubs, hasSearched };
}

/** Returns the hubs in the order of their first appearance, each as last found. */
export function withFound(before: readonly TerminalHub[], found: readonly TerminalHub[]): readonly TerminalHub[] {
  const updated = before.map((hub) => found.find(({ id }) => id === hub.id) ?? hub);
  return [...updated, ...found.filter(({ id }) => !before.some((hub) => hub.id === id))];
}
