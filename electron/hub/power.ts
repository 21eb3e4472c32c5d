import type { PowerMonitor, PowerSaveBlocker } from "electron";

export interface PowerParts {
  powerSaveBlocker: Pick<PowerSaveBlocker, "start" | "stop">;
  powerMonitor: Pick<PowerMonitor, "on">;
  /** The PC slept and is back: leases need a fresh grace and connections a look. */
  onResume: () => void;
  /** The system is going down: quit without a question. */
  onShutdown: () => void;
}

/** While the hub runs the PC must not fall asleep by itself; the display may. */
export function setupPower({ powerSaveBlocker, powerMonitor, onResume, onShutdown }: PowerParts) {
  let blocker: number | undefined;
  powerMonitor.on("resume", onResume);
  powerMonitor.on("shutdown", onShutdown);
  return {
    keepAwake(wanted: boolean) {
      if (wanted) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
      if (wanted || blocker === undefined) return;
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    },
  };
}
