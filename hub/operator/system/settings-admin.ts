import { settingNames, type SettingList, type Station } from "@comanda/protocol";
import { presentSettings, requireAllowedChange, type SettingSources } from "../../settings/change-settings.ts";
import type { Tx } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import { readHubConfig, type HubConfig } from "../../settings/config.ts";
import { fixedSettings, type SettingsHost } from "../../settings/settings-host.ts";
import type { AuditLog } from "../audit-log.ts";

export type SettingsAdmin = ReturnType<typeof createSettingsAdmin>;

/** The effective settings with their sources, and changes to those kept in a file. */
export function createSettingsAdmin(deps: {
  config: HubConfig;
  settingsHost: SettingsHost;
  changes: ChangeLog;
  audit: AuditLog;
  /** Has the kitchen work with other stations from now on. */
  changeStations(tx: Tx, stations: readonly Station[]): void;
}) {
  const { config, settingsHost, changes, audit, changeStations } = deps;
  const canSave = settingsHost.saveSettings !== null;
  const environment = fixedSettings(config.given, settingsHost);
  const sources = (): SettingSources => ({ environment, file: settingsHost.fileSettings() });
  /** The stations as the file had them when they last took effect. */
  let stationsInEffect = config.given.HUB_STATIONS;

  function list(): SettingList {
    const { file } = sources();
    const inEffect = { ...config.given, HUB_STATIONS: stationsInEffect };
    const isChanged = settingNames.some((name) => environment[name] === undefined && file[name] !== inEffect[name]);
    return { settings: presentSettings(sources(), canSave), restartNeeded: isChanged };
  }

  function applyStations(tx: Tx): void {
    stationsInEffect = sources().file.HUB_STATIONS;
    changeStations(tx, readHubConfig({ HUB_STATIONS: stationsInEffect }).stations);
  }

  return {
    list,

    /** Changes the settings file, all or nothing: stations take effect at once, the others at the next start of the hub. */
    async change(values: Readonly<Record<string, string | null>>, userName: string): Promise<SettingList> {
      const names = Object.keys(values);
      await changes.write((tx) => {
        // Checked and saved in one step, so that no other change comes between; a refusal rolls the audit entry back, too.
        requireAllowedChange(values, sources(), { canSave, isRemote: true });
        settingsHost.saveSettings?.(values);
        for (const name of names) audit.record(tx, userName, "settings.change", name);
        tx.notify(["settings"], { kind: "settings_changed", level: "info", detail: { userName, settings: names } });
        if (Object.hasOwn(values, "HUB_STATIONS")) applyStations(tx);
      });
      return list();
    },
  };
}
