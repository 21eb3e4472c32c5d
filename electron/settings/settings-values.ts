import path from "node:path";
import type * as Electron from "electron";
import { accountSettings, type DesktopSettings, settingNames, type SettingName } from "@comanda/protocol";
import { type Environment, fieldEntries, fields, passwordName, isFixedByEnvironment } from "./settings-fields.ts";
import type { SettingsFile } from "./settings-file.ts";

/** The part of Electron's safeStorage that the app uses. The system's key store encrypts; the file has only the result. */
export type SafeStorage = Pick<Electron.SafeStorage, "isEncryptionAvailable" | "encryptString" | "decryptString">;

const pathNames = ["HUB_DB_PATH", "HUB_BACKUP_DIR", "HUB_BACKUP_SECOND_DIR"] as const satisfies SettingName[];

/** Reads the settings by the hub's variables: as saved, and as overridden by the environment. */
export function createSettingValues({
  folder,
  safeStorage,
  env,
  first,
  file,
}: {
  folder: string;
  safeStorage: SafeStorage;
  env: Environment;
  first: DesktopSettings;
  file: Pick<SettingsFile, "read">;
}) {
  const savedPassword = (): string | null => {
    const { encryptedPassword } = file.read();
    try {
      return encryptedPassword === null ? null : safeStorage.decryptString(Buffer.from(encryptedPassword, "base64"));
    } catch {
      return null; // This machine's or user's key store changed, so the password must be typed again.
    }
  };
  const password = () => (isFixedByEnvironment(env, passwordName) ? (env[passwordName] ?? null) : savedPassword());

  const savedValues = (): Record<string, string> => {
    const { settings, others } = file.read();
    const current = fieldEntries.map(([name, { get }]) => [name, get(settings)] as const);
    const dataFile = others["HUB_DB_PATH"]?.trim() || "hub.sqlite";
    return {
      ...others,
      ...absolutePaths({ ...others, HUB_DB_PATH: dataFile }),
      ...Object.fromEntries(current),
      [passwordName]: savedPassword() ?? "",
    };
  };

  /** Resolves paths, since the working directory depends on what starts the app: session, shortcut or installer. */
  const absolutePaths = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      pathNames.flatMap((name) => {
        const value = values[name]?.trim() ?? "";
        return value === "" ? [] : [[name, path.resolve(folder, value)]];
      }),
    );

  /** Returns the account of these settings as overridden by the environment, by the hub's variables. */
  const accountOf = (backOffice: DesktopSettings["backOffice"]): Record<string, string> => {
    const settings = { ...first, backOffice };
    const saved = accountSettings.map((name) => [name, fields[name]?.get(settings) ?? ""]);
    return { ...Object.fromEntries(saved), ...fromEnvironment(accountSettings) };
  };

  const fromEnvironment = (names: readonly SettingName[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (isFixedByEnvironment(env, name) ? [[name, env[name] ?? ""]] : [])));

  const hubEnvironment = (): Record<string, string> => ({ ...savedValues(), ...fromEnvironment(settingNames) });

  return { password, savedValues, accountOf, fromEnvironment, hubEnvironment };
}
