import { useTranslation } from "@comanda/ui/translation.ts";
import { desktopBridge } from "../lib/desktop.ts";

/** On a small screen, for a waiter who typed the hub's address and came here. The desktop app has a way of its own. */
export function TerminalLink() {
  const { t } = useTranslation("shell");
  if (desktopBridge() !== null) return null;
  return (
    <a href="/terminal/" className="terminal-link">
      {t("openTerminal")}
    </a>
  );
}
