import type { BrowserWindow, BrowserWindowConstructorOptions, PowerMonitor, PowerSaveBlocker } from "electron";

export interface PowerDeps {
  powerSaveBlocker: Pick<PowerSaveBlocker, "start" | "stop">;
  powerMonitor: Pick<PowerMonitor, "on">;
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => Pick<BrowserWindow, "on">;
  platform: NodeJS.Platform;
  /** The PC woke up: leases need a fresh grace, and connections a check. */
  onResume: () => void;
  /** The system is shutting down: quit without asking. */
  onShutdown: () => void;
  /** Windows is ending the session, and ends this process as soon as the callback returns. */
  onSessionEnd: () => void;
}

/** Keeps the PC awake while the hub runs. The display may sleep. */
export function setupPower(deps: PowerDeps) {
  const { powerSaveBlocker, powerMonitor, BrowserWindow } = deps;
  let blocker: number | undefined;
  powerMonitor.on("resume", deps.onResume);
  powerMonitor.on("shutdown", deps.onShutdown);
  // Windows notifies only windows, and an app that starts in the tray has none. This window never loads a page.
  if (deps.platform === "win32") new BrowserWindow({ show: false }).on("session-end", deps.onSessionEnd);
  return {
    keepAwake(isEnabled: boolean) {
      if (isEnabled) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
      if (isEnabled || blocker === undefined) return;
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    },
  };
}
