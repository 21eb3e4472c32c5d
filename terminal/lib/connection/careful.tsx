import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect } from "react";
import { showNotice } from "../page/notices.ts";
import { usePos } from "./pos.ts";

/** Interval in ms to check whether the device was asleep. A check that comes ASLEEP_MS late says that it was. */
const LOOK_MS = 1_000;
const ASLEEP_MS = 5_000;

/**
 * Reconnects at once when the device wakes up or its network is back. Has the browser confirm leaving the page while that would
 * lose changes. Returns whether this device stores changes.
 */
export function useCareful(): boolean {
  const { terminal, isPersistent } = usePos();
  useEffect(() => {
    const wake = () => {
      if (!document.hidden) void terminal.checkConnection();
    };
    let lookedAt = Date.now();
    // While the page stays visible the browser reports no sleep, and its timers only count time awake.
    const look = () => {
      const now = Date.now();
      if (now - lookedAt > ASLEEP_MS) wake();
      lookedAt = now;
    };
    const timer = setInterval(look, LOOK_MS);
    const warn = (event: BeforeUnloadEvent) => {
      const { pending, unsaved } = terminal.outbox();
      if (unsaved > 0 || (!isPersistent && pending > 0)) event.preventDefault();
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
  }, [terminal, isPersistent]);
  return isPersistent;
}

/** Watches the connection while the terminal is open, and warns if the browser stores nothing. */
export function Careful() {
  const { t } = useTranslation("conflicts");
  const isPersistent = useCareful();
  useEffect(() => {
    if (!isPersistent) showNotice({ text: t("health.nothingKept") });
  }, [isPersistent, t]);
  return null;
}
