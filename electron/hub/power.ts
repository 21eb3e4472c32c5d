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
  /** Windows ends the session, and this process as soon as that is answered. */
  onSessionEnd: () => void;
}

/** While the hub runs the PC must not go to sleep by itself; the display may. */
export function setupPower(deps: PowerDeps) {
  const { powerSaveBlocker, powerMonitor, BrowserWindow } = deps;
  let blocker: number | undefined;
  powerMonitor.on("resume", deps.onResume);
  powerMonitor.on("shutdown", deps.onShutdown);
  // Windows tells nobody but windows, and an app that starts in the tray has none. This one never loads a page.
  if (deps.platform === "win32") new BrowserWindow({ show: false }).on("session-end", deps.onSessionEnd);
  return {
    keepAwake(isWanted: boolean) {
      if (isWanted) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
      if (isWanted || blocker === undefined) return;
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    },
  };
}
