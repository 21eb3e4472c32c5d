import { hostname } from "node:os";
import { DesktopSettings, HUB_NAME_MAX, type Language } from "@comanda/protocol";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Field {
  get: (settings: DesktopSettings) => string;
  set: (settings: DesktopSettings, text: string) => DesktopSettings;
}

const ofBackOffice = (key: keyof DesktopSettings["backOffice"]): Field => ({
  get: ({ backOffice }) => backOffice[key],
  set: (settings, text) => ({ ...settings, backOffice: { ...settings.backOffice, [key]: text } }),
});

/** Which variable of the hub stands for which setting of the app. The password is apart: it is never shown. */
export const fields: Record<string, Field> = {
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
export const passwordName = "ERP_PASSWORD";

/** An empty value means something only for these: no credentials. */
export const mayBeEmpty: ReadonlySet<string> = new Set(["ERP_USER", passwordName]);

/** Whether a variable is set in the environment, and so wins over what is saved. */
export function wins(env: Environment, name: string): boolean {
  const value = env[name];
  return value !== undefined && (value.trim() !== "" || mayBeEmpty.has(name));
}

/** Names of the settings that the environment fixes. */
export function fixedNames(env: Environment): string[] {
  return [...Object.keys(fields), passwordName].filter((name) => wins(env, name));
}

/** What is in force: a value of the environment that a setting cannot hold is left to the hub to complain about. */
export function effectiveSettings(saved: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [name, { set }]) => {
    return DesktopSettings.safeParse(set(before, env[name] ?? "")).data ?? before;
  }, saved);
}

/** A page sends back what it was shown: what the environment fixes is not taken over into the file. */
export function withoutFixed(saved: DesktopSettings, sent: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [, { get, set }]) => set(before, get(saved)), sent);
}

export function firstSettings(language: Language): DesktopSettings {
  return {
    language,
    hubName: `Comanda Hub ${hostname()}`.slice(0, HUB_NAME_MAX),
    port: 8766,
    backOffice: { url: "http://127.0.0.1:8069", database: "demo", login: "" },
    plugins: [],
    startAtLogin: false,
  };
}

function fixedFields(env: Environment): [string, Field][] {
  return Object.entries(fields).filter(([name]) => wins(env, name));
}
