import path from "node:path";
import { DesktopSettings, type DesktopSettingsState, type Language, type SaveDesktopSettings } from "@comanda/protocol";
import {
  effectiveSettings,
  fields,
  firstSettings,
  fixedNames,
  passwordName,
  wins,
  withoutFixed,
  type Environment,
} from "./settings-fields.ts";
import { createSettingsFile } from "./settings-file.ts";

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
  /** How many backups can be offered, before and after the first-run wizard was finished. */
  countBackups: (configured: boolean) => number;
}

export interface SettingsStore {
  /** What a page may know: never the password. */
  state: () => DesktopSettingsState;
  /** Keeps the settings and, when given, the password. `finishes`: the first-run wizard is done with it. */
  save: (change: SaveDesktopSettings, finishes?: boolean) => void;
  language: () => Language;
  setLanguage: (language: Language) => void;
  /** The hub's environment: what is saved, and over it what the environment says. */
  hubEnvironment: () => Record<string, string>;
  /** What is saved, by the hub's variables. */
  savedValues: () => Record<string, string>;
  /** Changes what is saved, by the hub's variables; null goes back to how it was at first. */
  saveValues: (values: Readonly<Record<string, string | null>>) => void;
  /** The password that the hub uses, from the environment or the safe storage; null when there is none. */
  password: () => string | null;
  /** Why the settings file of the last run was set aside, or null. */
  damage: () => string | null;
}

/** The settings of the desktop app, in its own folder, under those of the environment. */
export function createSettingsStore(parts: SettingsParts): SettingsStore {
  const { env, folder, safeStorage } = parts;
  const first = firstSettings(parts.systemLanguage);
  const file = createSettingsFile(folder, { configured: false, settings: first, encryptedPassword: null, others: {} });

  const encrypt = (text: string): string | null => {
    if (text === "") return null;
    if (!safeStorage.isEncryptionAvailable())
      throw new Error("The system's key store does not answer; the password cannot be kept.");
    return safeStorage.encryptString(text).toString("base64");
  };

  const savedPassword = (): string | null => {
    const { encryptedPassword } = file.read();
    try {
      return encryptedPassword === null ? null : safeStorage.decryptString(Buffer.from(encryptedPassword, "base64"));
    } catch {
      return null; // The key store of this machine or user changed: the password has to be given again.
    }
  };
  const password = () => (wins(env, passwordName) ? (env[passwordName] ?? null) : savedPassword());

  const savedValues = (): Record<string, string> => {
    const { settings, others } = file.read();
    const known = Object.entries(fields).map(([name, { get }]) => [name, get(settings)] as const);
    const dataFile = path.join(folder, "hub.sqlite");
    return { HUB_DB_PATH: dataFile, ...others, ...Object.fromEntries(known), [passwordName]: savedPassword() ?? "" };
  };

  return {
    damage: file.damage,
    password,
    savedValues,
    state: () => ({
      settings: effectiveSettings(file.read().settings, env),
      passwordSet: (password() ?? "") !== "",
      fromEnvironment: fixedNames(env),
      configured: file.read().configured,
      backupsFound: parts.countBackups(file.read().configured),
    }),
    save({ password: given, ...sent }, finishes = true) {
      const before = file.read();
      const encryptedPassword = given === undefined ? before.encryptedPassword : encrypt(given);
      const settings = withoutFixed(before.settings, sent, env);
      file.write({ ...before, configured: before.configured || finishes, settings, encryptedPassword });
    },
    saveValues(values) {
      let { settings, encryptedPassword, others } = file.read();
      for (const [name, value] of Object.entries(values)) {
        const field = fields[name];
        if (field !== undefined) settings = field.set(settings, value ?? field.get(first));
        else if (name === passwordName) encryptedPassword = encrypt(value ?? "");
        else others = withValue(others, name, value);
      }
      file.write({ ...file.read(), settings: DesktopSettings.parse(settings), encryptedPassword, others });
    },
    language: () => file.read().settings.language,
    setLanguage: (language) => file.write({ ...file.read(), settings: { ...file.read().settings, language } }),
    hubEnvironment() {
      const given = Object.entries(env).filter(([name]) => wins(env, name));
      return { ...savedValues(), ...Object.fromEntries(given.map(([name, value]) => [name, value ?? ""])) };
    },
  };
}

function withValue(values: Record<string, string>, name: string, value: string | null): Record<string, string> {
  const { [name]: _before, ...rest } = values;
  return value === null ? rest : { ...rest, [name]: value };
}
