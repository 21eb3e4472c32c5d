import type { DesktopHubState, HealthReport } from "@comanda/protocol";
import type { TrayState } from "../window/tray.ts";

const EVERY_MS = 5_000;
const TIMEOUT_MS = 3_000;

/** Reads the hub's health report. Returns undefined if the hub does not answer. */
async function readHealth(url: string): Promise<HealthReport | undefined> {
  try {
    const response = await fetch(new URL("health", url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await response.json()) as HealthReport;
  } catch {
    return undefined;
  }
}

/** Returns the tray's state for a hub's state and health report. */
export function trayStateOf(
  hub: DesktopHubState,
  health: HealthReport | undefined,
  webhooksPaused: boolean,
): TrayState {
  if (hub.state === "failed") return { name: "failed" };
  if (hub.state !== "running" || health === undefined) return { name: "starting" };
  return { name: health.status === "ok" ? "ok" : "warning", terminals: health.connectedTerminals, webhooksPaused };
}

/** Reads the hub's health now and every few seconds, and passes the tray's state to `show`. */
export function watchHealth(
  hub: () => DesktopHubState,
  webhooksPaused: () => boolean,
  show: (state: TrayState) => void,
): { check: () => void } {
  const check = async () => {
    const state = hub();
    const health = state.state === "running" ? await readHealth(state.url) : undefined;
    show(trayStateOf(hub(), health, webhooksPaused()));
  };
  setInterval(() => void check(), EVERY_MS).unref();
  return { check: () => void check() };
}
