import type { DesktopBridge } from "@comanda/protocol";

declare global {
  interface Window {
    /** The desktop app around this page; absent in a browser. */
    desktop?: DesktopBridge;
  }
}

export function desktopBridge(): DesktopBridge | null {
  return window.desktop ?? null;
}
