import { defaultOf } from "@comanda/hub/settings/config.ts";
import {
  DesktopSettings,
  settings as hubSettings,
  settingRow,
  type Language,
  type SettingName,
} from "@comanda/protocol";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Field {
  get: (settings: DesktopSettings) => string;
  set: (settings: DesktopSettings, text: string) => DesktopSettings;
}

const backOfficeField = (key: keyof DesktopSettings["backOffice"]): Field => ({
  get: ({ backOffice }) => backOffice[key],
  set: (settings, text) => ({ ...settings, backOffice: { ...settings.backOffice, [key]: text } }),
});

/** Hub settings with a field in the app's own form. The password is separate, because it is never shown. */
export const fields: Partial<Record<SettingName, Field>> = {
  HUB_NAME: { get: ({ hubName }) => hubName, set: (settings, hubName) => ({ ...settings, hubName }) },
  HUB_HTTP_PORT: { get: ({ port }) => String(port), set: (settings, text) => ({ ...settings, port: Number(text) }) },
  ERP_URL: backOfficeField("url"),
  ERP_DB: backOfficeField("database"),
  ERP_USER: backOfficeField("login"),
  HUB_ENABLED_PLUGINS: {
    get: ({ plugins }) => plugins.join(","),
    set: (settings, text) => ({ ...settings, plugins: text.split(",").flatMap((id) => id.trim() || []) }),
  },
};
export const fieldEntries = Object.entries(fields) as [SettingName, Field][];
export const passwordName = "ERP_PASSWORD" satisfies SettingName;

/** Whether the environment sets a variable and so overrides the saved value. */
export function isFixedByEnvironment(env: Environment, name: SettingName): boolean {
  const value = env[name];
  return value !== undefined && (value.trim() !== "" || settingRow(name).mayBeEmpty === true);
}

/** Returns the names of settings fixed by the environment. */
export function fixedNames(env: Environment): string[] {
  const names: SettingName[] = [...fieldEntries.map(([name]) => name), passwordName];
  return names.filter((name) => isFixedByEnvironment(env, name));
}

/** Returns the settings in force. The hub itself rejects an invalid value from the environment. */
export function effectiveSettings(saved: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [name, { set }]) => {
    return DesktopSettings.safeParse(set(before, env[name] ?? "")).data ?? before;
  }, saved);
}

/** Restores the saved values of settings fixed by the environment, since a page sends back everything it was shown. */
export function withoutFixed(saved: DesktopSettings, sent: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [, { get, set }]) => set(before, get(saved)), sent);
}

export function firstSettings(language: Language): DesktopSettings {
  return {
    language,
    hubName: defaultOf("HUB_NAME"),
    port: hubSettings.HUB_HTTP_PORT.default,
    backOffice: { url: hubSettings.ERP_URL.default, database: hubSettings.ERP_DB.default, login: "" },
    plugins: [],
    startAtLogin: false,
  };
}

function fixedFields(env: Environment): [SettingName, Field][] {
  return fieldEntries.filter(([name]) => isFixedByEnvironment(env, name));
}
