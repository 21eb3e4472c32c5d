import type { PowerMonitor, PowerSaveBlocker } from "electron";

export interface PowerDeps {
  powerSaveBlocker: Pick<PowerSaveBlocker, "start" | "stop">;
  powerMonitor: Pick<PowerMonitor, "on">;
  /** The PC woke up: leases need a fresh grace, and connections a check. */
  onResume: () => void;
  /** The system is shutting down: quit without asking. */
  onShutdown: () => void;
}

/** While the hub runs the PC must not go to sleep by itself; the display may. */
export function setupPower({ powerSaveBlocker, powerMonitor, onResume, onShutdown }: PowerDeps) {
  let blocker: number | undefined;
  powerMonitor.on("resume", onResume);
  powerMonitor.on("shutdown", onShutdown);
  return {
    keepAwake(isWanted: boolean) {
      if (isWanted) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
      if (isWanted || blocker === undefined) return;
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    },
  };
}
