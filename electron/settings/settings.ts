import {
  hasCredentials,
  type DesktopRole,
  DesktopSettings,
  type DesktopSettingsState,
  type Language,
  type SaveDesktopSettings,
  settingNames,
  settingRow,
  type SettingName,
  type TerminalHub,
} from "@comanda/protocol";
import { explainedError, HubError } from "@comanda/hub/platform/errors.ts";
import { presentSettings, requireAllowedChange, type SettingSources } from "@comanda/hub/settings/change-settings.ts";
import { isSameAccount } from "@comanda/hub/settings/config.ts";
import {
  effectiveSettings,
  fields,
  firstSettings,
  fixedNames,
  passwordName,
  isFixedByEnvironment,
  withoutFixed,
  type Environment,
  type Field,
} from "./settings-fields.ts";
import { createSettingsFile, type TerminalSettings } from "./settings-file.ts";
import { createSettingValues, type SafeStorage } from "./settings-values.ts";

export interface SettingsDeps {
  folder: string;
  safeStorage: SafeStorage;
  env: Environment;
  /** The system's language, for a first start. */
  systemLanguage: Language;
  /** Returns the number of backups that can be offered. `configured`: the first-run wizard was finished. */
  countBackups: (configured: boolean) => number;
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** Keeps the desktop app's settings in its own folder. The environment overrides them. */
export function createSettingsStore(deps: SettingsDeps) {
  const { env, folder, safeStorage } = deps;
  const first = firstSettings(deps.systemLanguage);
  const file = createSettingsFile(folder, {
    configured: false,
    settings: first,
    encryptedPassword: null,
    others: {},
    role: "hub",
    terminal: { hub: null, kiosk: false },
    dataFile: null,
  });

  const encrypt = (text: string): string | null => {
    if (text === "") return null;
    if (!safeStorage.isEncryptionAvailable())
      throw new Error("The system's key store does not answer; the password cannot be kept.");
    return safeStorage.encryptString(text).toString("base64");
  };

  const values = createSettingValues({ folder, safeStorage, env, first, file });
  const { password, savedValues, accountOf, fromEnvironment, hubEnvironment } = values;
  const sources = (): SettingSources => ({ environment: fromEnvironment(settingNames), file: savedValues() });

  /** The saved password belongs to one account. A typed one has no effect while the environment sets the password. */
  const requirePassword = (before: DesktopSettings, after: DesktopSettings, isTyped: boolean) => {
    const isOurs = isTyped && !isFixedByEnvironment(env, passwordName);
    if (isOurs || (password() ?? "") === "") return;
    if (isSameAccount(accountOf(before.backOffice), accountOf(after.backOffice))) return;
    throw new Error("The back-office's address, database or user changed: its password has to be given again.");
  };

  const saveValues = (values: Readonly<Record<string, string | null>>) => {
    let { settings, encryptedPassword, others } = file.read();
    for (const [name, value] of Object.entries(values)) {
      const field = fields[name as SettingName];
      if (field !== undefined) settings = withField(settings, name as SettingName, field, value);
      else if (name === passwordName) encryptedPassword = encrypt(value ?? "");
      else others = withValue(others, name, value);
    }
    file.write({ ...file.read(), settings, encryptedPassword, others });
  };

  const withField = (settings: DesktopSettings, name: SettingName, { get, set }: Field, value: string | null) => {
    const isDefault = value === null || (value.trim() === "" && settingRow(name).mayBeEmpty !== true);
    const parsed = DesktopSettings.safeParse(set(settings, isDefault ? get(first) : value));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new HubError("VALIDATION_ERROR", `values.${name}: cannot be kept by this app: ${issue?.message}`);
  };

  /** Changes settings of the app itself, which concern neither the hub nor its back-office. */
  const changeOwn = (change: Partial<Pick<DesktopSettings, "language" | "startAtLogin">>) =>
    file.write({ ...file.read(), settings: { ...file.read().settings, ...change } });

  return {
    /** Why the settings file of the last run was set aside, or null. */
    damage: file.damage,
    /** The environment variables that override saved settings. */
    environment: fromEnvironment(settingNames),
    /** The saved settings, by the hub's variables. */
    savedValues,
    /** Changes saved settings, by the hub's variables. Null or an empty text restores the default. */
    saveValues,
    /** Returns every setting of the hub, even if it cannot start with them. */
    hubSettings: () => presentSettings(sources(), true),
    /** Returns the values of secret settings, for removing them from what leaves this computer. */
    secrets: (): string[] => {
      const values = hubEnvironment();
      return settingNames.flatMap((name) => (settingRow(name).isSecret === true ? (values[name] ?? []) : []));
    },
    /** Changes saved settings for the person at this computer. Throws a HubError if the change is not allowed. */
    changeHubSettings(values: Readonly<Record<string, string | null>>) {
      requireAllowedChange(values, sources(), { canSave: true, isRemote: false });
      saveValues(values);
    },
    /** Returns the saved password for this account; null if it is for another account or none is saved. */
    passwordFor({ url, database, login }: DesktopSettings["backOffice"]): string | null {
      const account = { ERP_URL: url, ERP_DB: database, ERP_USER: login };
      return isSameAccount(account, accountOf(file.read().settings.backOffice)) ? password() : null;
    },
    /** Returns what a page may see: never the password. */
    state: (): DesktopSettingsState => ({
      settings: effectiveSettings(file.read().settings, env),
      passwordSet: (password() ?? "") !== "",
      fromEnvironment: fixedNames(env),
      configured: file.read().configured,
      backupsFound: deps.countBackups(file.read().configured),
    }),
    /**
     * Saves the settings and a typed password. Throws if the account changed and no password was typed. `finishes`: this ends
     * the first-run wizard.
     */
    save({ password: typed, ...sent }: SaveDesktopSettings, finishes = true) {
      const before = file.read();
      const encryptedPassword = typed === undefined ? before.encryptedPassword : encrypt(typed);
      const settings = withoutFixed(before.settings, sent, env);
      requirePassword(before.settings, settings, typed !== undefined);
      if (hasCredentials(settings.backOffice.url)) {
        throw explainedError("VALIDATION_ERROR", "setting_address_credentials", { setting: "ERP_URL" });
      }
      file.write({ ...before, configured: before.configured || finishes, settings, encryptedPassword });
    },
    language: () => file.read().settings.language,
    setLanguage: (language: Language) => changeOwn({ language }),
    startsAtLogin: () => file.read().settings.startAtLogin,
    setStartAtLogin: (startAtLogin: boolean) => changeOwn({ startAtLogin }),
    /** The role of this PC, used from the next start on. */
    role: () => file.read().role,
    setRole: (role: DesktopRole) => file.write({ ...file.read(), role }),
    /** The data file that the hub last used; null before the first. */
    dataFile: () => file.read().dataFile,
    /** On a full disk, the value is kept for this run. */
    recordDataFile(dataFile: string): void {
      if (dataFile !== file.read().dataFile) file.take({ ...file.read(), dataFile });
    },
    /** Settings used only by the role "terminal". */
    terminal: () => file.read().terminal,
    /** Without its hub's address a terminal is useless: on a full disk it is kept for this run. Returns the error, or null. */
    rememberHub: (hub: TerminalHub): unknown =>
      file.take({ ...file.read(), terminal: { ...file.read().terminal, hub } }),
    changeTerminal: (change: Pick<TerminalSettings, "kiosk">) =>
      file.write({ ...file.read(), terminal: { ...file.read().terminal, ...change } }),
    /** Returns the hub's settings: saved values overridden by the environment. */
    hubEnvironment,
  };
}

function withValue(values: Record<string, string>, name: string, value: string | null): Record<string, string> {
  const { [name]: _before, ...rest } = values;
  return value === null ? rest : { ...rest, [name]: value };
}
