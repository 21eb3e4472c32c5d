import { z } from "zod";
import { DAY_MS } from "./fields.ts";
import { PluginId } from "./plugins.ts";
import { messageBudgets } from "./terminal.ts";

/** Characters of the hub's name. Discovery shortens what the local network cannot carry. */
export const HUB_NAME_MAX = 60;

export type SettingGroup = "back-office" | "network" | "access" | "data" | "service" | "integrations" | "log";

interface SettingRow<Key extends string, T> {
  /** Its name in HubConfig. */
  key: Key;
  group: SettingGroup;
  schema: z.ZodType<T, string>;
  default: NoInfer<T>;
  /** The accepted values, in words. */
  allowed: string;
  /** Set when the default depends on the machine: how the hub works it out. */
  computedDefault?: string;
  /** Never shown. */
  isSecret?: true;
  /**
   * Decides whom the hub trusts, where it listens or which files it uses. Whoever changes such a setting controls the hub,
   * so it can be changed on the hub's own computer only, never over the network.
   */
  isLocalOnly?: true;
  /** The empty text is a value of its own, not the default. */
  mayBeEmpty?: true;
}

function setting<const Key extends string, T>(row: SettingRow<Key, T>): SettingRow<Key, T> {
  return row;
}

function whole(min: number, max: number, unit = "") {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
  return { schema, allowed: `a whole number${unit} from ${min} to ${max}` };
}

function list<T extends string>(item: z.ZodType<T, string>): z.ZodType<T[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item));
}

const duration = whole(200, DAY_MS, " of ms");
const days = whole(1, 3_650, " of days");
const rate = whole(1, 100_000);
const flag = { schema: z.stringbool(), allowed: "true or false" };
const logLevels = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);
const logLevel = { schema: logLevels, allowed: logLevels.options.join(", ") };

/**
 * Every setting of the hub. HubConfig, `--help`, `config`, the settings screens, the OpenAPI description and
 * docs/operations/settings.md derive from this table. A new setting is a row here and its texts in
 * setting-texts.ts.
 */
export const settings = {
  ERP_URL: setting({
    key: "erpUrl",
    group: "back-office",
    schema: z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")),
    default: "http://127.0.0.1:8069",
    allowed: "an http or https address",
  }),
  ERP_DB: setting({
    key: "erpDb",
    group: "back-office",
    schema: z.string(),
    default: "demo",
    allowed: "a database name",
  }),
  ERP_USER: setting({
    key: "erpUser",
    group: "back-office",
    schema: z.string(),
    default: "hub",
    allowed: "any text; empty means that the hub has no account of its own",
    mayBeEmpty: true,
  }),
  ERP_PASSWORD: setting({
    key: "erpPassword",
    group: "back-office",
    schema: z.string(),
    default: "hub",
    allowed: "any text; empty means that the hub has no account of its own",
    mayBeEmpty: true,
    isSecret: true,
  }),
  HUB_HOST: setting({
    key: "host",
    group: "network",
    schema: z.string().regex(/^[\w.:-]+$/),
    default: "0.0.0.0",
    allowed: "an address of this machine",
    isLocalOnly: true,
  }),
  HUB_HTTP_PORT: setting({ key: "port", group: "network", ...whole(0, 65_535), default: 8766 }),
  HUB_NAME: setting({
    key: "name",
    group: "network",
    schema: z.string().max(HUB_NAME_MAX),
    default: "",
    allowed: `at most ${HUB_NAME_MAX} characters`,
    computedDefault: "Comanda Hub and the machine's name",
  }),
  HUB_MDNS_ENABLED: setting({ key: "mdnsEnabled", group: "network", ...flag, default: true }),
  HUB_TRUST_PROXY: setting({
    key: "trustedProxies",
    group: "access",
    schema: list(z.string()),
    default: [],
    allowed: "addresses or CIDR ranges of proxies, separated by commas",
    isLocalOnly: true,
  }),
  HUB_ALLOWED_ORIGINS: setting({
    key: "allowedOrigins",
    group: "access",
    schema: list(z.url()),
    default: [],
    allowed: "origins separated by commas",
    isLocalOnly: true,
  }),
  HUB_ALLOWED_HOSTS: setting({
    key: "allowedHosts",
    group: "access",
    schema: list(z.string()),
    default: [],
    allowed: "host names separated by commas",
    isLocalOnly: true,
  }),
  HUB_DEV_AUTH: setting({ key: "devAuth", group: "access", ...flag, default: false, isLocalOnly: true }),
  HUB_DB_PATH: setting({
    key: "dbPath",
    group: "data",
    schema: z.string(),
    default: "./hub.sqlite",
    allowed: "a file path",
    isLocalOnly: true,
  }),
  HUB_BACKUP_DIR: setting({
    key: "backupDir",
    group: "data",
    schema: z.string(),
    default: "",
    allowed: "a folder path",
    computedDefault: "backups beside the data file",
    isLocalOnly: true,
  }),
  HUB_HISTORY_DAYS: setting({ key: "historyDays", group: "data", ...days, default: 60 }),
  HUB_RETENTION_DAYS: setting({ key: "retentionDays", group: "data", ...days, default: 400 }),
  HUB_LEASE_TTL_MS: setting({ key: "leaseTtlMs", group: "service", ...duration, default: 60_000 }),
  HUB_HEARTBEAT_MS: setting({ key: "heartbeatMs", group: "service", ...duration, default: 20_000 }),
  HUB_GRACE_MS: setting({ key: "graceMs", group: "service", ...duration, default: 10_000 }),
  HUB_MUTATION_RATE_MAX: setting({
    key: "mutationRateMax",
    group: "service",
    ...whole(50, 100_000),
    default: messageBudgets.mutation.perSecond,
  }),
  HUB_FORWARD_INTERVAL_MS: setting({ key: "forwardIntervalMs", group: "service", ...duration, default: 5_000 }),
  HUB_FORWARD_BATCH_SIZE: setting({ key: "forwardBatchSize", group: "service", ...whole(1, 200), default: 20 }),
  HUB_STATE_POLL_MS: setting({ key: "statePollMs", group: "service", ...duration, default: 15_000 }),
  HUB_SESSION_RECHECK_MS: setting({ key: "sessionRecheckMs", group: "service", ...duration, default: 300_000 }),
  HUB_FLOOR_PLAN_CACHE_MS: setting({ key: "floorPlanCacheMs", group: "service", ...duration, default: 60_000 }),
  HUB_ENABLED_PLUGINS: setting({
    key: "enabledPlugins",
    group: "integrations",
    schema: list(PluginId),
    default: [],
    allowed: "plugin ids (a-z 0-9 -) separated by commas",
  }),
  HUB_EXTERNAL_RATE_MAX: setting({ key: "externalRateMax", group: "integrations", ...rate, default: 120 }),
  HUB_EXTERNAL_KEY_RATE_MAX: setting({ key: "externalKeyRateMax", group: "integrations", ...rate, default: 120 }),
  HUB_WEBHOOK_DISPATCH_MS: setting({ key: "webhookDispatchMs", group: "integrations", ...duration, default: 5_000 }),
  HUB_LOG_LEVEL: setting({ key: "logLevel", group: "log", ...logLevel, default: "info" }),
};

export type SettingName = keyof typeof settings;
export const SettingName = z.enum(Object.keys(settings) as [SettingName, ...SettingName[]]);
export const settingNames: readonly SettingName[] = SettingName.options;

/** The value of every setting, by its key. */
export type SettingValues = {
  [Name in SettingName as (typeof settings)[Name]["key"]]: z.output<(typeof settings)[Name]["schema"]>;
};

/** The hub's own password is sent to these: a change of one of them needs `ERP_PASSWORD` with it. */
export const accountSettings = ["ERP_URL", "ERP_DB", "ERP_USER"] as const satisfies SettingName[];

/** A row of the table as the same type for every setting. */
export function settingRow(name: SettingName): SettingRow<string, unknown> {
  return settings[name];
}

/** A default for people: the same on every machine. */
export function describeDefault(name: SettingName): string {
  return settingRow(name).computedDefault ?? (writtenDefault(name) || "none");
}

/** A default as it would be written in the environment. */
export function writtenDefault(name: SettingName): string {
  const value: unknown = settings[name].default;
  return Array.isArray(value) ? value.join(",") : String(value);
}
