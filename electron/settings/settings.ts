import path from "node:path";
import {
  accountSettings,
  DesktopSettings,
  type DesktopSettingsState,
  type Language,
  type SaveDesktopSettings,
  settingNames,
  type Setting,
} from "@comanda/protocol";
import { HubError } from "@comanda/hub/platform/errors.ts";
import { presentSettings, requireAllowedChange, type SettingSources } from "@comanda/hub/settings/change-settings.ts";
import { isSameAccount } from "@comanda/hub/settings/config.ts";
import {
  effectiveSettings,
  fields,
  firstSettings,
  fixedNames,
  mayBeEmpty,
  passwordName,
  wins,
  withoutFixed,
  type Environment,
  type Field,
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
  /**
   * Keeps the settings and, when given, the password; throws a sentence when they lead to another account and the
   * password was not given again. `finishes`: the first-run wizard is done with it.
   */
  save: (change: SaveDesktopSettings, finishes?: boolean) => void;
  language: () => Language;
  setLanguage: (language: Language) => void;
  /** The hub's environment: what is saved, and over it what the environment says. */
  hubEnvironment: () => Record<string, string>;
  /** The variables of the environment that win over what is saved. */
  environment: Readonly<Record<string, string>>;
  /** What is saved, by the hub's variables. */
  savedValues: () => Record<string, string>;
  /** Changes what is saved, by the hub's variables; null or nothing goes back to how it was at first. */
  saveValues: (values: Readonly<Record<string, string | null>>) => void;
  /** Every setting of the hub, whether or not a hub can start with them. */
  hubSettings: () => Setting[];
  /** Changes what is saved as the person at this computer asks for it; throws a HubError when it must not be saved. */
  changeHubSettings: (values: Readonly<Record<string, string | null>>) => void;
  /** The password that is kept for this back-office, database and login; null when it is kept for another, or none is. */
  passwordFor: (account: DesktopSettings["backOffice"]) => string | null;
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

  /** The account that these settings, and the environment over them, stand for; by the hub's variables. */
  const accountOf = (backOffice: DesktopSettings["backOffice"]): Record<string, string> => {
    const settings = { ...first, backOffice };
    const saved = accountSettings.map((name) => [name, fields[name]?.get(settings) ?? ""]);
    return { ...Object.fromEntries(saved), ...fromEnvironment(accountSettings) };
  };

  const fromEnvironment = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (wins(env, name) ? [[name, env[name] ?? ""]] : [])));

  const sources = (): SettingSources => ({ environment: fromEnvironment(settingNames), file: savedValues() });

  /** The kept password was given for one account; a typed one does not count where the environment's is used. */
  const requirePassword = (before: DesktopSettings, after: DesktopSettings, isTyped: boolean) => {
    const isOurs = isTyped && !wins(env, passwordName);
    if (isOurs || (password() ?? "") === "") return;
    if (isSameAccount(accountOf(before.backOffice), accountOf(after.backOffice))) return;
    throw new Error("The back-office's address, database or user changed: its password has to be given again.");
  };

  const saveValues = (values: Readonly<Record<string, string | null>>) => {
    let { settings, encryptedPassword, others } = file.read();
    for (const [name, value] of Object.entries(values)) {
      const field = fields[name];
      if (field !== undefined) settings = withField(settings, name, field, value);
      else if (name === passwordName) encryptedPassword = encrypt(value ?? "");
      else others = withValue(others, name, value);
    }
    file.write({ ...file.read(), settings, encryptedPassword, others });
  };

  const withField = (settings: DesktopSettings, name: string, { get, set }: Field, value: string | null) => {
    const isNothing = value === null || (value.trim() === "" && !mayBeEmpty.has(name));
    const parsed = DesktopSettings.safeParse(set(settings, isNothing ? get(first) : value));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new HubError("VALIDATION_ERROR", `values.${name}: cannot be kept by this app: ${issue?.message}`);
  };

  return {
    damage: file.damage,
    environment: fromEnvironment(settingNames),
    savedValues,
    saveValues,
    hubSettings: () => presentSettings(sources(), true),
    changeHubSettings(values) {
      requireAllowedChange(values, sources(), { canSave: true, isRemote: false });
      saveValues(values);
    },
    passwordFor: ({ url, database, login }) => {
      const asked = { ERP_URL: url, ERP_DB: database, ERP_USER: login };
      return isSameAccount(asked, accountOf(file.read().settings.backOffice)) ? password() : null;
    },
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
      requirePassword(before.settings, settings, given !== undefined);
      file.write({ ...before, configured: before.configured || finishes, settings, encryptedPassword });
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
