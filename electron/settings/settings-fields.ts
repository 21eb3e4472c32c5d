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

const ofBackOffice = (key: keyof DesktopSettings["backOffice"]): Field => ({
  get: ({ backOffice }) => backOffice[key],
  set: (settings, text) => ({ ...settings, backOffice: { ...settings.backOffice, [key]: text } }),
});

/** The settings of the hub that the app's own form has fields for. The password is separate: it is never shown. */
export const fields: Partial<Record<SettingName, Field>> = {
  HUB_NAME: { get: ({ hubName }) => hubName, set: (settings, hubName) => ({ ...settings, hubName }) },
  HUB_HTTP_PORT: { get: ({ port }) => String(port), set: (settings, text) => ({ ...settings, port: Number(text) }) },
  ERP_URL: ofBackOffice("url"),
  ERP_DB: ofBackOffice("database"),
  ERP_USER: ofBackOffice("login"),
  HUB_ENABLED_PLUGINS: {
    get: ({ plugins }) => plugins.join(","),
    set: (settings, text) => ({ ...settings, plugins: text.split(",").flatMap((id) => id.trim() || []) }),
  },
};
export const fieldEntries = Object.entries(fields) as [SettingName, Field][];
export const passwordName = "ERP_PASSWORD" satisfies SettingName;

/** Whether a variable is set in the environment, and so wins over the saved one. */
export function wins(env: Environment, name: SettingName): boolean {
  const value = env[name];
  return value !== undefined && (value.trim() !== "" || settingRow(name).mayBeEmpty === true);
}

/** Names of the settings that the environment fixes. */
export function fixedNames(env: Environment): string[] {
  const names: SettingName[] = [...fieldEntries.map(([name]) => name), passwordName];
  return names.filter((name) => wins(env, name));
}

/** The settings in force. The hub itself refuses a value of the environment that no setting can have. */
export function effectiveSettings(saved: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [name, { set }]) => {
    return DesktopSettings.safeParse(set(before, env[name] ?? "")).data ?? before;
  }, saved);
}

/** A page sends back all that it was shown; what the environment fixes is not saved. */
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
  return fieldEntries.filter(([name]) => wins(env, name));
}
