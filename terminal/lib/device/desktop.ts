import type { DesktopTerminalBridge } from "@comanda/protocol";

declare global {
  interface Window {
    /** The bridge to the desktop app; absent in a browser. */
    desktopTerminal?: DesktopTerminalBridge;
  }
}

export function desktopTerminal(): DesktopTerminalBridge | null {
  return window.desktopTerminal ?? null;
}
