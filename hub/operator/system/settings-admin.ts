import { settingNames, type SettingList, type SettingName } from "@comanda/protocol";
import { presentSettings, requireAllowedChange, type SettingSources } from "../../settings/change-settings.ts";
import type { Tx } from "../../changes/change.ts";
import { readHubConfig, type HubConfig } from "../../settings/config.ts";
import { fixedSettings, type SettingsHost } from "../../settings/settings-host.ts";
import type { Stores } from "../../stores/create-stores.ts";

export type SettingsAdmin = ReturnType<typeof createSettingsAdmin>;

/** Settings that take effect at once. */
const liveSettings = ["HUB_STATIONS", "HUB_FISCAL_CONTINGENCY"] as const;
type LiveSetting = (typeof liveSettings)[number];

/** Applies a changed live setting; `settings` has its new value, and the defaults of all others. */
export type LiveSettings = Record<LiveSetting, (tx: Tx, settings: HubConfig) => void>;

/** The effective settings with their sources, and changes to those in the settings file. */
export function createSettingsAdmin(
  deps: Pick<Stores, "changes" | "audit"> & {
    config: HubConfig;
    settingsHost: SettingsHost;
    live: LiveSettings;
  },
) {
  const { config, settingsHost, changes, audit, live } = deps;
  const canSave = settingsHost.saveSettings !== null;
  const environment = fixedSettings(config.provided, settingsHost);
  const sources = (): SettingSources => ({ environment, file: settingsHost.fileSettings() });
  /** Settings as the file had them when they last took effect. */
  const inEffect: Partial<Record<SettingName, string | undefined>> = { ...config.provided };

  function list(): SettingList {
    const { file } = sources();
    const isChanged = settingNames.some((name) => environment[name] === undefined && file[name] !== inEffect[name]);
    return { settings: presentSettings(sources(), canSave), restartNeeded: isChanged };
  }

  function apply(tx: Tx, name: LiveSetting): void {
    const value = sources().file[name];
    inEffect[name] = value;
    live[name](tx, readHubConfig({ [name]: value }));
  }

  function requireAllowed(values: Readonly<Record<string, string | null>>): void {
    requireAllowedChange(values, sources(), { canSave, isRemote: true });
  }

  function changeIn(tx: Tx, values: Readonly<Record<string, string | null>>, userName: string): void {
    const names = Object.keys(values);
    // Checked and saved in one step, so that no other change comes between; a refusal rolls the audit entry back, too.
    requireAllowed(values);
    settingsHost.saveSettings?.(values);
    for (const name of names) audit.record(tx, userName, "settings.change", name);
    tx.notify(["settings"], { kind: "settings_changed", level: "info", detail: { userName, settings: names } });
    for (const name of liveSettings) if (Object.hasOwn(values, name)) apply(tx, name);
  }

  return {
    list,
    /** Throws the refusal that `change` would throw. */
    requireAllowed,
    /** Like `change`, within a transaction. */
    changeIn,

    /** Changes the settings file, all or nothing. Live settings take effect at once, the others at the next start. */
    async change(values: Readonly<Record<string, string | null>>, userName: string): Promise<SettingList> {
      await changes.write((tx) => changeIn(tx, values, userName));
      return list();
    },
  };
}
