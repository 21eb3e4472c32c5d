import type { DesktopHubState, HealthReport } from "@comanda/protocol";
import type { TrayState } from "../window/tray.ts";

const EVERY_MS = 5_000;
const PATIENCE_MS = 3_000;

/** What the hub reports of itself, or undefined while it does not answer. */
async function readHealth(url: string): Promise<HealthReport | undefined> {
  try {
    const response = await fetch(new URL("health", url), { signal: AbortSignal.timeout(PATIENCE_MS) });
    return (await response.json()) as HealthReport;
  } catch {
    return undefined;
  }
}

/** The tray's state for a hub that stands like this and reports that. */
export function trayStateOf(
  hub: DesktopHubState,
  health: HealthReport | undefined,
  webhooksPaused: boolean,
): TrayState {
  if (hub.state === "failed") return { name: "failed" };
  if (hub.state !== "running" || health === undefined) return { name: "starting" };
  return { name: health.status === "ok" ? "ok" : "warning", terminals: health.connectedTerminals, webhooksPaused };
}

/** Looks at the hub's health now and every few seconds, and hands on what the tray should show. */
export function watchHealth(
  hub: () => DesktopHubState,
  webhooksPaused: () => boolean,
  show: (state: TrayState) => void,
): { look: () => void } {
  const look = async () => {
    const state = hub();
    const health = state.state === "running" ? await readHealth(state.url) : undefined;
    show(trayStateOf(hub(), health, webhooksPaused()));
  };
  setInterval(() => void look(), EVERY_MS).unref();
  return { look: () => void look() };
}
