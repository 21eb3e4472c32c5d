import { z } from "zod";
import { DAY_MS } from "./basics/durations.ts";
import { MAX_AMOUNT } from "./basics/fields.ts";
import { parseUrl } from "./basics/parse-url.ts";
import { Stations } from "./orders/kitchen.ts";
import { PluginId } from "./orders/plugins.ts";
import { messageBudgets } from "./terminal.ts";

/** Maximum length of the hub's name. Discovery shortens it if the local network cannot carry it. */
export const HUB_NAME_MAX = 60;

/** Groups of settings in screen order. */
export const settingGroups = [
  "restaurant",
  "back-office",
  "service",
  "network",
  "access",
  "integrations",
  "data",
  "advanced",
] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** The form input for a value, and its bounds. A duration is stored in ms and entered in s, min or h. */
export type SettingInput =
  | { kind: "text" | "address" | "list" | "flag" | "stations" | "shares" }
  | { kind: "choice"; options: readonly string[] }
  | { kind: "number" | "port" | "money" | "days" | "duration"; min: number; max: number };

/** The accepted values of a setting: as a schema, in words, and as a form input. */
interface Accepted<T> {
  schema: z.ZodType<T, string>;
  allowed: string;
  input: SettingInput;
}

interface Restrictions {
  /** How the hub computes the default, if that depends on the machine. */
  computedDefault?: string;
  /** The value is never shown. */
  isSecret?: true;
  /**
   * Decides whom the hub trusts, where it listens or which files it uses. A caller who can change it controls the hub, so it
   * can be changed only on the hub's own computer, never over the network.
   */
  isLocalOnly?: true;
  /** An empty text is a value, not the default. */
  mayBeEmpty?: true;
  /** A change on the screens applies immediately. Other settings are read when the hub starts. */
  isLive?: true;
}

/** `key` is the setting's property in HubConfig. */
interface SettingRow<Key extends string, T> extends Accepted<T>, Restrictions {
  key: Key;
  group: SettingGroup;
  default: T;
}

function row<const Key extends string, T>(
  key: Key,
  group: SettingGroup,
  accepted: Accepted<T>,
  fallback: NoInfer<T>,
  restrictions: Restrictions = {},
): SettingRow<Key, T> {
  return { key, group, ...accepted, default: fallback, ...restrictions };
}

function text(allowed: string, schema: z.ZodType<string, string> = z.string()): Accepted<string> {
  return { schema, allowed, input: { kind: "text" } };
}

function whole(min: number, max: number, kind: "number" | "port" | "days" | "duration" = "number"): Accepted<number> {
  const unit = { number: "", port: "", days: " of days", duration: " of ms" }[kind];
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
  return { schema, allowed: `a whole number${unit} from ${min} to ${max}`, input: { kind, min, max } };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format() !== "";
  } catch {
    return false;
  }
}

function list(allowed: string, item: z.ZodType<string, string> = z.string()): Accepted<string[]> {
  const split = (text: string): string[] => text.split(",").flatMap((part) => part.trim() || []);
  return { schema: z.string().transform(split).pipe(z.array(item)), allowed, input: { kind: "list" } };
}

const httpAddress = z.string().refine((address) => /^https?:$/.test(parseUrl(address)?.protocol ?? ""));
/** User and password have separate settings, and the password is never shown. */
const plainAddress = httpAddress.refine((address) => !hasCredentials(address));
/** A longer address would be compared by its origin alone, as if the rest had been understood. */
const origin = httpAddress.refine((address) => parseUrl(address)?.href === `${parseUrl(address)?.origin}/`);
/** Rejects an address such as `http://pos.example`, whose host would be `http`. */
const hostName = z.string().regex(/^[^\s/]+$/);
const account = text("any text; empty means that the hub has no account of its own");
const duration = whole(200, DAY_MS, "duration");
const days = whole(1, 3_650, "days");
const rate = whole(1, 100_000);
const flag = { schema: z.stringbool(), allowed: "true or false", input: { kind: "flag" } } as const;
const logLevels = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);
const logLevel = {
  schema: logLevels,
  allowed: logLevels.options.join(", "),
  input: { kind: "choice", options: logLevels.options },
} as const;
const money = {
  schema: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/)
    .transform(Number)
    .refine((value) => value < MAX_AMOUNT),
  allowed: "an amount from 0, with at most two decimals",
  input: { kind: "money", min: 0, max: MAX_AMOUNT - 1 },
} as const satisfies Accepted<number>;
const hubName = text(`at most ${HUB_NAME_MAX} characters`, z.string().max(HUB_NAME_MAX));
const proxies = list("addresses or CIDR ranges of proxies, separated by commas");
const plugins = list("plugin ids (a-z 0-9 -) separated by commas", PluginId);
const localOnly = { isLocalOnly: true } as const;
const parsedJson = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: "custom", message: "not JSON", input: text });
    return z.NEVER;
  }
});
const zone = z.string().refine((name) => name === "" || isTimeZone(name));
const timeZone = text("the name of a time zone, for example America/Santo_Domingo", zone);
const stations = {
  schema: parsedJson.pipe(Stations),
  input: { kind: "stations" } as const,
  allowed: 'a JSON list like [{"id": "bar", "name": "Bar", "categoryIds": [3], "productIds": []}]',
};

const tipShares = {
  schema: parsedJson.pipe(
    z
      .record(z.string().min(1).max(40), z.number().min(0).max(100))
      .refine((shares) => Math.abs(Object.values(shares).reduce((sum, share) => sum + share, 0) - 100) < 1e-6),
  ),
  input: { kind: "shares" } as const,
  allowed: 'a JSON object of percentages that add up to 100, like {"waiter": 70, "kitchen": 20, "cashier": 10}',
};

/**
 * Every setting of the hub. HubConfig, `--help`, `config`, the settings screens, the OpenAPI description and
 * docs/operations/settings.md derive from this table. A new setting needs a row here and its texts in setting-texts.ts.
 */
export const settings = {
  ERP_URL: row(
    "erpUrl",
    "back-office",
    {
      ...text("an http or https address without user and password, which are ERP_USER and ERP_PASSWORD", plainAddress),
      input: { kind: "address" },
    },
    "http://127.0.0.1:8069",
  ),
  ERP_DB: row("erpDb", "back-office", text("a database name"), "demo"),
  ERP_USER: row("erpUser", "back-office", account, "hub", { mayBeEmpty: true }),
  ERP_PASSWORD: row("erpPassword", "back-office", account, "hub", { mayBeEmpty: true, isSecret: true }),

  HUB_NAME: row("name", "restaurant", hubName, "", { computedDefault: "Comanda Hub and the machine's name" }),
  HUB_TIME_ZONE: row("timeZone", "restaurant", timeZone, "", { computedDefault: "the PC's own" }),

  HUB_HOST: row(
    "host",
    "network",
    text("an address of this machine", z.string().regex(/^[\w.:-]+$/)),
    "0.0.0.0",
    localOnly,
  ),
  HUB_HTTP_PORT: row("port", "network", whole(0, 65_535, "port"), 8766),
  HUB_MDNS_ENABLED: row("mdnsEnabled", "network", flag, true),

  HUB_TRUST_PROXY: row("trustedProxies", "access", proxies, [], localOnly),
  HUB_ALLOWED_ORIGINS: row(
    "allowedOrigins",
    "access",
    list("origins like https://pos.example, without a path, separated by commas", origin),
    [],
    localOnly,
  ),
  HUB_ALLOWED_HOSTS: row("allowedHosts", "access", list("host names separated by commas", hostName), [], localOnly),
  HUB_DEV_AUTH: row("devAuth", "access", flag, false, localOnly),

  HUB_DB_PATH: row("dbPath", "data", text("a file path"), "./hub.sqlite", localOnly),
  HUB_BACKUP_DIR: row("backupDir", "data", text("a folder path"), "", {
    computedDefault: "backups beside the data file",
    isLocalOnly: true,
  }),
  HUB_BACKUP_SECOND_DIR: row(
    "backupSecondDir",
    "data",
    text("the path of a folder outside the data file's"),
    "",
    localOnly,
  ),
  HUB_HISTORY_DAYS: row("historyDays", "data", days, 60),
  HUB_RETENTION_DAYS: row("retentionDays", "data", days, 400),

  HUB_LEASE_TTL_MS: row("leaseTtlMs", "advanced", duration, 60_000),
  HUB_HEARTBEAT_MS: row("heartbeatMs", "advanced", duration, 20_000),
  HUB_GRACE_MS: row("graceMs", "advanced", duration, 10_000),
  HUB_MUTATION_RATE_MAX: row("mutationRateMax", "advanced", whole(1, 100_000), messageBudgets.mutation.perSecond),
  HUB_STATIONS: row("stations", "service", stations, [], { isLive: true }),
  HUB_TAKE_BACK_MS: row("takeBackMs", "service", whole(0, DAY_MS, "duration"), 30_000),
  HUB_UNCHECKED_CREDIT: row("uncheckedCredit", "service", money, 0),
  HUB_PRINT_UNSEEN_MS: row("printUnseenMs", "service", duration, 60_000),
  HUB_PRINT_FALLBACK_MS: row("printFallbackMs", "service", duration, 15_000),
  HUB_PRINT_EXPIRE_MS: row("printExpireMs", "advanced", duration, 600_000),
  HUB_PRINTER_POLL_MS: row("printerPollMs", "advanced", duration, 10_000),
  HUB_RECEIPT_WAIT_MS: row("receiptWaitMs", "service", duration, 4_000),
  HUB_FISCAL_CONTINGENCY: row("fiscalContingency", "service", flag, false, { isLive: true }),
  HUB_FISCAL_POLL_MS: row("fiscalPollMs", "advanced", duration, 10_000),
  HUB_TILL_TOLERANCE: row("tillTolerance", "service", money, 100),
  HUB_TIP_SHARES: row("tipShares", "service", tipShares, { waiter: 70, kitchen: 20, cashier: 10 }),
  HUB_FORWARD_INTERVAL_MS: row("forwardIntervalMs", "advanced", duration, 5_000),
  HUB_FORWARD_BATCH_SIZE: row("forwardBatchSize", "advanced", whole(1, 200), 20),
  HUB_STATE_POLL_MS: row("statePollMs", "advanced", duration, 15_000),
  HUB_SESSION_RECHECK_MS: row("sessionRecheckMs", "advanced", duration, 300_000),
  HUB_FLOOR_PLAN_CACHE_MS: row("floorPlanCacheMs", "advanced", duration, 60_000),

  HUB_ENABLED_PLUGINS: row("enabledPlugins", "integrations", plugins, []),
  HUB_EXTERNAL_RATE_MAX: row("externalRateMax", "integrations", rate, 120),
  HUB_EXTERNAL_KEY_RATE_MAX: row("externalKeyRateMax", "integrations", rate, 120),
  HUB_CHAIN_DIAGNOSIS: row("chainDiagnosis", "integrations", flag, true),
  HUB_CHAIN_SHARES_CUSTOMERS: row("chainSharesCustomers", "integrations", flag, false),
  // At least 3: the day whose digest is compared is up to two dates back, and must be sent completely.
  HUB_CHAIN_HISTORY_DAYS: row("chainHistoryDays", "integrations", whole(3, 3_650, "days"), 45),
  HUB_CHAIN_KBPS: row("chainKbps", "advanced", whole(16, 1_000_000), 512),
  HUB_WEBHOOK_DISPATCH_MS: row("webhookDispatchMs", "advanced", duration, 5_000),

  HUB_LOG_LEVEL: row("logLevel", "advanced", logLevel, "info"),
};

/** Returns whether a setting is the back-office's address or the hub's account there. */
export function isBackOfficeSetting(name: string): boolean {
  return Object.entries(settings).some(([each, { group }]) => each === name && group === "back-office");
}

export type SettingName = keyof typeof settings;
export const SettingName = z.enum(Object.keys(settings) as [SettingName, ...SettingName[]]);
export const settingNames: readonly SettingName[] = SettingName.options;

/** The values of all settings by their HubConfig key. */
export type SettingValues = {
  [Name in SettingName as (typeof settings)[Name]["key"]]: z.output<(typeof settings)[Name]["schema"]>;
};

/** Decide where the hub's password is sent, so changing one of them requires `ERP_PASSWORD` in the same change. */
export const accountSettings = ["ERP_URL", "ERP_DB", "ERP_USER"] as const satisfies SettingName[];

/** Returns whether an address contains a user or a password. */
export function hasCredentials(address: string): boolean {
  const url = parseUrl(address);
  return url !== null && url.username + url.password !== "";
}

/** Returns a setting's row with one type for all settings. */
export function settingRow(name: SettingName): SettingRow<string, unknown> {
  return settings[name];
}

/** Returns the description of a default, the same on every machine. */
export function describeDefault(name: SettingName): string {
  return settingRow(name).computedDefault ?? (writtenDefault(name) || "none");
}

/** Returns a default as it would be written in the environment. */
export function writtenDefault(name: SettingName): string {
  const value: string | number | boolean | object = settings[name].default;
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) ? value.map(String).join(",") : JSON.stringify(value);
}
