import { hostname } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  HUB_NAME_MAX,
  sentence,
  settingNames,
  settingRow,
  settings,
  writtenDefault,
  type SettingName,
  type SettingValues,
} from "@comanda/protocol";
import { StartError } from "../platform/errors.ts";
import { localTimeZone } from "../platform/local-time-zone.ts";
import { isProxyAddress } from "../platform/peer-address.ts";
import { screensFolder, terminalFolder } from "../platform/paths.ts";

type Grouped = "backupSecondDir" | "erpUrl" | "erpDb" | "erpUser" | "erpPassword" | "historyDays" | "retentionDays";

/** All settings of the hub, parsed and complete. Nothing else reads the environment. Times in ms. */
export interface HubConfig extends Omit<SettingValues, Grouped> {
  backOffice: {
    url: string;
    db: string;
    /** Null if the hub has no credentials of its own. */
    credentials: { user: string; password: string } | null;
  };
  retention: { historyDays: number; retentionDays: number };
  /** Where each good backup is copied to, or null. */
  secondBackupDir: string | null;
  /** The folder of the built screens. */
  rendererDir: string;
  /** The folder of the built terminal. */
  terminalDir: string;
  /** The explicitly set values, as written. Other settings have their defaults. */
  provided: Readonly<Partial<Record<SettingName, string>>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns a setting's default on this machine, as it would be written in the environment. */
export function defaultOf(name: SettingName): string {
  if (name === "HUB_NAME") return `Comanda Hub ${hostname()}`.slice(0, HUB_NAME_MAX);
  if (name === "HUB_TIME_ZONE") return localTimeZone();
  return writtenDefault(name);
}

/** Parses the hub's settings. Throws a StartError that names each bad variable, its value and what is allowed. */
export function readHubConfig(env: Env): HubConfig {
  const wrong = new Map<SettingName, string>();
  const refuse = (name: SettingName): void => {
    // A rejected address may contain a password.
    const value = env[name]?.trim().replace(/[^/\s]*@/, "***@");
    wrong.set(name, `${name} is "${value}", but must be ${settings[name].allowed}`);
  };
  const read = (name: SettingName): unknown => {
    const { schema, default: fallback, mayBeEmpty = false } = settingRow(name);
    const text = mayBeEmpty ? env[name] : env[name]?.trim();
    if (text === undefined || (text === "" && !mayBeEmpty)) return fallback;
    const parsed = schema.safeParse(text);
    if (!parsed.success) refuse(name);
    return parsed.success ? parsed.data : fallback;
  };
  const values = Object.fromEntries(settingNames.map((name) => [settings[name].key, read(name)])) as SettingValues;

  // Rules that the table cannot express.
  if (!values.trustedProxies.every(isProxyAddress)) refuse("HUB_TRUST_PROXY");
  const { erpUrl, erpDb, erpUser, erpPassword, historyDays, retentionDays, backupSecondDir, ...direct } = values;
  if (retentionDays < historyDays && !wrong.has("HUB_RETENTION_DAYS")) {
    const limit = `must not be below HUB_HISTORY_DAYS, which is ${historyDays}`;
    wrong.set("HUB_RETENTION_DAYS", `HUB_RETENTION_DAYS is ${retentionDays}, but ${limit}`);
  }
  const dbPath = path.resolve(values.dbPath);
  const dataFolder = path.dirname(dbPath);
  const backupDir = values.backupDir === "" ? path.join(dataFolder, "backups") : path.resolve(values.backupDir);
  const secondBackupDir = backupSecondDir === "" ? null : path.resolve(backupSecondDir);
  const misplaced = secondBackupDir === null ? null : misplacement(secondBackupDir, backupDir, dataFolder);
  if (misplaced !== null) {
    wrong.set("HUB_BACKUP_SECOND_DIR", `HUB_BACKUP_SECOND_DIR is "${backupSecondDir}", but ${misplaced}`);
  }
  const second =
    misplaced === null || wrong.size > 1
      ? undefined
      : sentence("setting_second_folder", { folder: backupSecondDir, problem: misplaced });
  if (wrong.size > 0) throw new StartError("setting", `${[...wrong.values()].join("; ")}.`, [...wrong.keys()], second);

  return {
    ...direct,
    name: values.name || defaultOf("HUB_NAME"),
    timeZone: values.timeZone || defaultOf("HUB_TIME_ZONE"),
    dbPath,
    backupDir,
    secondBackupDir,
    backOffice: {
      url: erpUrl.replace(/\/+$/, ""),
      db: erpDb,
      credentials: erpUser === "" || erpPassword === "" ? null : { user: erpUser, password: erpPassword },
    },
    retention: { historyDays, retentionDays },
    rendererDir: screensFolder,
    terminalDir: terminalFolder,
    provided: Object.fromEntries(settingNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
}

/** Returns why a second folder would be lost together with the first, or null. */
function misplacement(second: string, backupDir: string, dataFolder: string): string | null {
  const isWithin = (folder: string): boolean => {
    const relative = path.relative(folder, second);
    return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  };
  if (isWithin(backupDir)) return `must not be the folder of the backups (${backupDir}), nor in it`;
  return isWithin(dataFolder) ? `must not be in the folder of the data file (${dataFolder})` : null;
}

/** Whether two sets of settings mean the same back-office user, so that one password may serve both. */
export function isSameAccount(a: Env, b: Env): boolean {
  return isDeepStrictEqual(accountOf(a), accountOf(b));
}

/** Parses the account as the hub's settings are parsed, so that equal accounts are those the hub treats alike. */
function accountOf({ ERP_URL, ERP_DB, ERP_USER }: Env): HubConfig["backOffice"] | null {
  try {
    return readHubConfig({ ERP_URL, ERP_DB, ERP_USER, ERP_PASSWORD: "any" }).backOffice;
  } catch {
    return null; // An invalid address is no account.
  }
}
