import { useEffect } from "react";
import { usePos } from "./pos.ts";

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
    const warn = (event: BeforeUnloadEvent) => {
      const { pending, unsaved } = terminal.outbox();
      if (unsaved > 0 || (!isKept && pending > 0)) event.preventDefault();
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("visibilitychange", wake);
      removeEventListener("online", wake);
      removeEventListener("beforeunload", warn);
    };
  }, [terminal, isKept]);
  return isKept;
}
