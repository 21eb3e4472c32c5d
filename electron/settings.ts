import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { DesktopSettings, type DesktopSettingsState, type Language, type SaveDesktopSettings } from "@comanda/protocol";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of Electron's safeStorage that is used: the system's key store encrypts, the file holds only what it gave. */
export interface SafeStorage {
  isEncryptionAvailable: () => boolean;
  encryptString: (text: string) => Buffer;
  decryptString: (bytes: Buffer) => string;
}

export interface SettingsParts {
  folder: string;
  safeStorage: SafeStorage;
  env: Environment;
  /** The system's language, for a first start. */
  systemLanguage: Language;
  /** How many backups can be offered. */
  countBackups: () => number;
}

export interface SettingsStore {
  /** What a page may know: never the password. */
  state: () => DesktopSettingsState;
  /** Keeps the settings and, when given, the password; from then on the app counts as configured. */
  save: (change: SaveDesktopSettings) => void;
  language: () => Language;
  setLanguage: (language: Language) => void;
  /** The hub's environment: what is saved, and over it what the environment says. */
  hubEnvironment: () => Record<string, string>;
  /** The password that the hub uses, from the environment or the safe storage; null when there is none. */
  password: () => string | null;
  /** Why the settings file of the last run was put aside, or null. */
  damage: string | null;
}

const StoredSettings = z.object({
  configured: z.boolean(),
  settings: DesktopSettings,
  /** Base64 of what the safe storage gave; null = none. */
  encryptedPassword: z.string().nullable(),
});
type StoredSettings = z.infer<typeof StoredSettings>;

interface Field {
  get: (settings: DesktopSettings) => string;
  set: (settings: DesktopSettings, text: string) => DesktopSettings;
}

const ofBackOffice = (key: keyof DesktopSettings["backOffice"]): Field => ({
  get: ({ backOffice }) => backOffice[key],
  set: (settings, text) => ({ ...settings, backOffice: { ...settings.backOffice, [key]: text } }),
});

/** Which variable stands over which setting. */
const fields: Record<string, Field> = {
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

/** An empty value means something only for these: no credentials. */
const mayBeEmpty = new Set(["ERP_USER", "ERP_PASSWORD"]);

/** The settings of the desktop app, one JSON file in its own folder, written so that a power cut leaves the old or the new one. */
export function createSettingsStore(parts: SettingsParts): SettingsStore {
  const file = path.join(parts.folder, "settings.json");
  let damage: string | null = null;
  let stored = read();

  function read(): StoredSettings {
    if (!existsSync(file)) return firstSettings(parts.systemLanguage);
    try {
      return StoredSettings.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      const aside = `${file}.damaged-${Date.now()}`;
      renameSync(file, aside);
      damage = `The settings file could not be read and was set aside as ${aside}; the settings start anew.`;
      return firstSettings(parts.systemLanguage);
    }
  }

  function write(next: StoredSettings): void {
    stored = next;
    mkdirSync(parts.folder, { recursive: true });
    const draft = openSync(`${file}.new`, "w", 0o600);
    writeFileSync(draft, JSON.stringify(next, null, 2));
    fsyncSync(draft);
    closeSync(draft);
    renameSync(`${file}.new`, file);
  }

  const fromEnvironment = () => {
    const names = [...Object.keys(fields), "ERP_PASSWORD"];
    return names.filter((name) => wins(parts.env, name));
  };

  const password = (): string | null => {
    if (wins(parts.env, "ERP_PASSWORD")) return parts.env["ERP_PASSWORD"] ?? null;
    if (stored.encryptedPassword === null) return null;
    try {
      return parts.safeStorage.decryptString(Buffer.from(stored.encryptedPassword, "base64"));
    } catch {
      return null; // The key store of this machine or user changed: the password has to be given again.
    }
  };

  const encrypt = (text: string): string | null => {
    if (text === "") return null;
    if (!parts.safeStorage.isEncryptionAvailable())
      throw new Error("The system's key store does not answer; the password cannot be kept.");
    return parts.safeStorage.encryptString(text).toString("base64");
  };

  return {
    get damage() {
      return damage;
    },
    state: () => ({
      settings: effective(stored.settings, parts.env),
      passwordSet: (password() ?? "") !== "",
      fromEnvironment: fromEnvironment(),
      configured: stored.configured,
      backupsFound: parts.countBackups(),
    }),
    save({ password: given, ...settings }) {
      const encryptedPassword = given === undefined ? stored.encryptedPassword : encrypt(given);
      write({ configured: true, settings: keepFixed(stored.settings, settings, parts.env), encryptedPassword });
    },
    language: () => stored.settings.language,
    setLanguage: (language) => write({ ...stored, settings: { ...stored.settings, language } }),
    hubEnvironment() {
      const saved = Object.entries(fields).map(([name, { get }]) => [name, get(stored.settings)] as const);
      const given = Object.entries(parts.env).filter(([name]) => wins(parts.env, name));
      return Object.fromEntries([
        ...saved,
        ["ERP_PASSWORD", password() ?? ""],
        ["HUB_DB_PATH", path.join(parts.folder, "hub.sqlite")],
        ...given.map(([name, value]) => [name, value ?? ""]),
      ]) as Record<string, string>;
    },
    password,
  };
}

function firstSettings(language: Language): StoredSettings {
  return {
    configured: false,
    encryptedPassword: null,
    settings: {
      language,
      hubName: `Comanda Hub ${hostname()}`.slice(0, 60),
      port: 8766,
      backOffice: { url: "http://127.0.0.1:8069", database: "demo", login: "" },
      plugins: [],
      startAtLogin: false,
    },
  };
}

/** What is in force: a value of the environment that a setting cannot hold is left to the hub to complain about. */
function effective(saved: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [name, { set }]) => {
    return DesktopSettings.safeParse(set(before, env[name] ?? "")).data ?? before;
  }, saved);
}

/** A page sends back what it was shown: what the environment fixes is not taken over into the file. */
function keepFixed(saved: DesktopSettings, sent: DesktopSettings, env: Environment): DesktopSettings {
  return fixedFields(env).reduce((before, [, { get, set }]) => set(before, get(saved)), sent);
}

function fixedFields(env: Environment): [string, Field][] {
  return Object.entries(fields).filter(([name]) => wins(env, name));
}

function wins(env: Environment, name: string): boolean {
  const value = env[name];
  return value !== undefined && (value.trim() !== "" || mayBeEmpty.has(name));
}
