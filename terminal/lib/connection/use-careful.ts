import { useEffect } from "react";
import { usePos } from "./pos.ts";

/** How often it is looked whether the device was asleep: a second look that comes so much later says that it was. */
const LOOK_MS = 1_000;
const ASLEEP_MS = 5_000;

/**
 * Connects at once when the device wakes up or its network is back, and has the browser ask before the page is left while
 * that would lose something. Answers whether this device keeps what it is given.
 */
export function useCareful(): boolean {
  const { terminal, isKept } = usePos();
  useEffect(() => {
    const wake = () => {
      if (!document.hidden) void terminal.checkConnection();
    };
    let lookedAt = Date.now();
    // Where the page stayed in view the browser says nothing, and its timers count only the time awake.
    const look = () => {
      const now = Date.now();
      if (now - lookedAt > ASLEEP_MS) wake();
      lookedAt = now;
    };
    const timer = setInterval(look, LOOK_MS);
    const warn = (event: BeforeUnloadEvent) => {
      const { pending, unsaved } = terminal.outbox();
      if (unsaved > 0 || (!isKept && pending > 0)) event.preventDefault();
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    addEventListener("beforeunload", warn);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", wake);
      removeEventListener("online", wake);
      removeEventListener("beforeunload", warn);
    };
  }, [terminal, isKept]);
  return isKept;
}
