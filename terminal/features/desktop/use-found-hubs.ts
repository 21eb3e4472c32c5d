import type { DesktopTerminalBridge, TerminalHub } from "@comanda/protocol";
import { useEffect, useState } from "react";

/** A search that finds nothing to listen on ends at once. */
const PAUSE_MS = 2_000;

/** Looks for hubs as long as it is shown. A hub stays where it first appeared: nothing moves under the finger. */
export function useFoundHubs(bridge: DesktopTerminalBridge): { hubs: readonly TerminalHub[]; hasSearched: boolean } {
  const [hubs, setHubs] = useState<readonly TerminalHub[]>([]);
  const [hasSearched, setSearched] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const search = async () => {
      const found = await bridge.findHubs().catch(() => []);
      if (isGone) return;
      setHubs((before) => withFound(before, found));
      setSearched(true);
      timer = setTimeout(() => void search(), PAUSE_MS);
    };
    void search();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [bridge]);
  return { hubs, hasSearched };
}

/** The hubs in the order in which they appeared, each as it was last found. */
export function withFound(before: readonly TerminalHub[], found: readonly TerminalHub[]): readonly TerminalHub[] {
  const known = before.map((hub) => found.find(({ id }) => id === hub.id) ?? hub);
  return [...known, ...found.filter(({ id }) => !before.some((hub) => hub.id === id))];
}
