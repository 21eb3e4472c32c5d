import type { DesktopTerminalBridge } from "@comanda/protocol";

declare global {
  interface Window {
    /** The desktop app around this page; absent in a browser. */
    desktopTerminal?: DesktopTerminalBridge;
  }
}

export function desktopTerminal(): DesktopTerminalBridge | null {
  return window.desktopTerminal ?? null;
}
