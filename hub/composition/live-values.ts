import type { BackOffice } from "./create-back-office.ts";
import type { LiveSettings } from "../operator/system/settings-admin.ts";
import type { HubConfig } from "../settings/config.ts";

export type LiveValues = ReturnType<typeof createLiveValues>;

/** Holds the current values of the settings that take effect at once. */
export function createLiveValues(config: HubConfig) {
  let { stations, fiscalContingency } = config;
  return {
    stations: () => stations,
    isContingency: () => fiscalContingency,
    /** Applies changed settings and notifies what depends on them. */
    settings: (pos: Pick<BackOffice["pos"], "noteStations">, refreshNote: () => void): LiveSettings => ({
      HUB_STATIONS(tx, settings) {
        stations = [...settings.stations];
        pos.noteStations(tx);
        refreshNote();
      },
      HUB_FISCAL_CONTINGENCY(tx, settings) {
        ({ fiscalContingency } = settings);
        tx.notify(["fiscal"]);
      },
    }),
  };
}
