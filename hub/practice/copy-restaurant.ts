import { HUB_NAME_MAX, type BootstrapAnswer, type Station } from "@comanda/protocol";
import type { PosState } from "../back-office/pos-state.ts";
import type { HubConfig } from "../settings/config.ts";

/** Enough for any practice. */
const REMAINING_NUMBERS = 100_000;

/**
 * Returns what a practice copies from the restaurant: service settings, menu and floor plan. Nothing that connects to the
 * outside: no back-office, discovery, plugins or fiscal sequence. Null if the menu was never read.
 */
export function copyRestaurant(
  config: HubConfig,
  stations: readonly Station[],
  pos: Pick<PosState, "config" | "floors">,
): { env: Record<string, string>; bootstrap: BootstrapAnswer } | null {
  const posConfig = pos.config()?.value;
  if (posConfig === undefined) return null;
  const { ncfSequences, ...settings } = posConfig;
  const floors = pos.floors()?.value ?? posConfig.floors;
  return {
    env: {
      HUB_NAME: `Práctica ${config.name}`.slice(0, HUB_NAME_MAX),
      HUB_HOST: "127.0.0.1",
      HUB_HTTP_PORT: "0",
      // Requests come through this hub, which forwards the caller's address.
      HUB_TRUST_PROXY: "127.0.0.1",
      HUB_MDNS_ENABLED: "false",
      HUB_TIME_ZONE: config.timeZone,
      HUB_STATIONS: JSON.stringify(stations),
      HUB_TAKE_BACK_MS: String(config.takeBackMs),
      HUB_UNCHECKED_CREDIT: String(config.uncheckedCredit),
      HUB_FORWARD_INTERVAL_MS: "1000",
      HUB_LOG_LEVEL: "silent",
    },
    bootstrap: {
      config: {
        ...settings,
        hubMode: true,
        hubAddress: "",
        creditNotes: { lines: true, onBehalfOf: true },
        floors,
        ...(ncfSequences !== undefined && {
          ncfSequences: ncfSequences.map(({ type }) => ({ type, left: REMAINING_NUMBERS })),
        }),
      },
      session: { id: 1, name: "Práctica", state: "opened" },
      minClientVersion: null,
    },
  };
}
