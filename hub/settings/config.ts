import { hostname } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { HUB_NAME_MAX, messageBudgets, PluginId } from "@comanda/protocol";
import { StartError } from "../platform/errors.ts";
import { isProxyAddress } from "../platform/peer-address.ts";
import { screensFolder } from "../platform/paths.ts";
import { DAY_MS } from "../platform/durations.ts";

export const LogLevel = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);
export type LogLevel = z.infer<typeof LogLevel>;

/** Every setting of the hub, finished: nothing below reads the environment. Times in ms. */
export interface HubConfig {
  host: string;
  port: number;
  /** Shown to people and in discovery. */
  name: string;
  dbPath: string;
  backupDir: string;
  logLevel: LogLevel;
  mdnsEnabled: boolean;
  devAuth: boolean;
  allowedOrigins: string[];
  allowedHosts: string[];
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  backOffice: {
    url: string;
    db: string;
    /** Null when the hub has no credentials of its own. */
    credentials: { user: string; password: string } | null;
  };
  leaseTtlMs: number;
  heartbeatMs: number;
  graceMs: number;
  forwardIntervalMs: number;
  forwardBatchSize: number;
  statePollMs: number;
  /** How often each terminal's back-office session is checked again. */
  sessionRecheckMs: number;
  floorPlanCacheMs: number;
  webhookDispatchMs: number;
  /** Mutations of one terminal a second, ten times that at once. */
  mutationRateMax: number;
  /** The versions of a finished order are thinned, and later it is removed, after so many days. */
  retention: { historyDays: number; retentionDays: number };
  externalRateMax: number;
  externalKeyRateMax: number;
  enabledPlugins: string[];
  /** The folder of the built screens. */
  rendererDir: string;
  /** The settings that were given, as they were written; what is missing has its default. */
  given: Readonly<Partial<Record<SettingName, string>>>;
}

const duration = (fallback: number) =>
  setting(whole(200, DAY_MS), fallback, `a whole number of ms from 200 to ${DAY_MS}`);
const rate = (fallback: number) => setting(whole(1, 100_000), fallback, "a whole number from 1 to 100000");
const days = (fallback: number) => setting(whole(1, 3_650), fallback, "a whole number of days from 1 to 3650");
const flag = (fallback: boolean) => setting(z.stringbool(), fallback, "true or false");

const settings = {
  ERP_URL: setting(httpAddress(), "http://127.0.0.1:8069", "an http or https address"),
  ERP_DB: setting(z.string(), "demo", "a database name"),
  HUB_HOST: setting(z.string().regex(/^[\w.:-]+$/), "0.0.0.0", "an address of this machine"),
  HUB_HTTP_PORT: setting(whole(0, 65_535), 8766, "a whole number from 0 to 65535"),
  HUB_NAME: setting(
    z.string().max(HUB_NAME_MAX),
    `Comanda Hub ${hostname()}`.slice(0, HUB_NAME_MAX),
    `at most ${HUB_NAME_MAX} characters`,
  ),
  HUB_DB_PATH: setting(z.string(), "./hub.sqlite", "a file path"),
  HUB_BACKUP_DIR: setting(z.string(), "", "a folder path"),
  HUB_LOG_LEVEL: setting(LogLevel, "info", LogLevel.options.join(", ")),
  HUB_MDNS_ENABLED: flag(true),
  HUB_DEV_AUTH: flag(false),
  HUB_ALLOWED_ORIGINS: setting(list(z.url()), [], "origins separated by commas"),
  HUB_ALLOWED_HOSTS: setting(list(z.string()), [], "host names separated by commas"),
  HUB_TRUST_PROXY: setting(
    list(z.string().refine(isProxyAddress)),
    [],
    "addresses or CIDR ranges of proxies, separated by commas",
  ),
  HUB_LEASE_TTL_MS: duration(60_000),
  HUB_HEARTBEAT_MS: duration(20_000),
  HUB_GRACE_MS: duration(10_000),
  HUB_FORWARD_INTERVAL_MS: duration(5_000),
  HUB_FORWARD_BATCH_SIZE: setting(whole(1, 200), 20, "a whole number from 1 to 200"),
  HUB_STATE_POLL_MS: duration(15_000),
  HUB_SESSION_RECHECK_MS: duration(300_000),
  HUB_FLOOR_PLAN_CACHE_MS: duration(60_000),
  HUB_WEBHOOK_DISPATCH_MS: duration(5_000),
  HUB_MUTATION_RATE_MAX: setting(
    whole(50, 100_000),
    messageBudgets.mutation.perSecond,
    "a whole number from 50 to 100000",
  ),
  HUB_HISTORY_DAYS: days(60),
  HUB_RETENTION_DAYS: days(400),
  HUB_EXTERNAL_RATE_MAX: rate(120),
  HUB_EXTERNAL_KEY_RATE_MAX: rate(120),
  HUB_ENABLED_PLUGINS: setting(list(PluginId), [], "plugin ids (a-z 0-9 -) separated by commas"),
};

export type SettingName = keyof typeof settings | "ERP_USER" | "ERP_PASSWORD";
export const settingNames = [...Object.keys(settings), "ERP_USER", "ERP_PASSWORD"] as SettingName[];

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the hub's settings; throws a StartError that names every bad variable, its value and what is allowed. */
export function readHubConfig(env: Env): HubConfig {
  const wrong: { name: string; sentence: string }[] = [];
  const read = <T>(name: keyof typeof settings, { schema, fallback, allowed }: Setting<T>): T => {
    const text = env[name]?.trim();
    if (text === undefined || text === "") return fallback;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    wrong.push({ name, sentence: `${name} is "${text}", but must be ${allowed}` });
    return fallback;
  };
  const s = settings;
  const dbPath = path.resolve(read("HUB_DB_PATH", s.HUB_DB_PATH));
  const backupDir = read("HUB_BACKUP_DIR", s.HUB_BACKUP_DIR);
  const user = env["ERP_USER"] ?? "hub";
  const password = env["ERP_PASSWORD"] ?? "hub";
  const config: HubConfig = {
    host: read("HUB_HOST", s.HUB_HOST),
    port: read("HUB_HTTP_PORT", s.HUB_HTTP_PORT),
    name: read("HUB_NAME", s.HUB_NAME),
    dbPath,
    backupDir: backupDir === "" ? path.join(path.dirname(dbPath), "backups") : path.resolve(backupDir),
    logLevel: read("HUB_LOG_LEVEL", s.HUB_LOG_LEVEL),
    mdnsEnabled: read("HUB_MDNS_ENABLED", s.HUB_MDNS_ENABLED),
    devAuth: read("HUB_DEV_AUTH", s.HUB_DEV_AUTH),
    allowedOrigins: read("HUB_ALLOWED_ORIGINS", s.HUB_ALLOWED_ORIGINS),
    allowedHosts: read("HUB_ALLOWED_HOSTS", s.HUB_ALLOWED_HOSTS),
    trustedProxies: read("HUB_TRUST_PROXY", s.HUB_TRUST_PROXY),
    backOffice: {
      url: read("ERP_URL", s.ERP_URL).replace(/\/+$/, ""),
      db: read("ERP_DB", s.ERP_DB),
      credentials: user === "" || password === "" ? null : { user, password },
    },
    leaseTtlMs: read("HUB_LEASE_TTL_MS", s.HUB_LEASE_TTL_MS),
    heartbeatMs: read("HUB_HEARTBEAT_MS", s.HUB_HEARTBEAT_MS),
    graceMs: read("HUB_GRACE_MS", s.HUB_GRACE_MS),
    forwardIntervalMs: read("HUB_FORWARD_INTERVAL_MS", s.HUB_FORWARD_INTERVAL_MS),
    forwardBatchSize: read("HUB_FORWARD_BATCH_SIZE", s.HUB_FORWARD_BATCH_SIZE),
    statePollMs: read("HUB_STATE_POLL_MS", s.HUB_STATE_POLL_MS),
    sessionRecheckMs: read("HUB_SESSION_RECHECK_MS", s.HUB_SESSION_RECHECK_MS),
    floorPlanCacheMs: read("HUB_FLOOR_PLAN_CACHE_MS", s.HUB_FLOOR_PLAN_CACHE_MS),
    webhookDispatchMs: read("HUB_WEBHOOK_DISPATCH_MS", s.HUB_WEBHOOK_DISPATCH_MS),
    mutationRateMax: read("HUB_MUTATION_RATE_MAX", s.HUB_MUTATION_RATE_MAX),
    retention: {
      historyDays: read("HUB_HISTORY_DAYS", s.HUB_HISTORY_DAYS),
      retentionDays: read("HUB_RETENTION_DAYS", s.HUB_RETENTION_DAYS),
    },
    externalRateMax: read("HUB_EXTERNAL_RATE_MAX", s.HUB_EXTERNAL_RATE_MAX),
    externalKeyRateMax: read("HUB_EXTERNAL_KEY_RATE_MAX", s.HUB_EXTERNAL_KEY_RATE_MAX),
    enabledPlugins: read("HUB_ENABLED_PLUGINS", s.HUB_ENABLED_PLUGINS),
    rendererDir: screensFolder,
    given: Object.fromEntries(settingNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
  const { historyDays, retentionDays } = config.retention;
  if (retentionDays < historyDays) {
    const sentence = `HUB_RETENTION_DAYS is ${retentionDays}, but must not be below HUB_HISTORY_DAYS, which is ${historyDays}`;
    wrong.push({ name: "HUB_RETENTION_DAYS", sentence });
  }
  if (wrong.length > 0) {
    const sentences = wrong.map(({ sentence }) => sentence).join("; ");
    throw new StartError(
      "setting",
      `${sentences}.`,
      wrong.map(({ name }) => name),
    );
  }
  return config;
}

/** Whether two sets of settings mean the same user of the same back-office, so that one password may serve both. */
export function isSameAccount(one: Env, other: Env): boolean {
  return isDeepStrictEqual(accountOf(one), accountOf(other));
}

/** Read as the hub itself reads it, so that nothing passes for the same that the hub tells apart. */
function accountOf({ ERP_URL, ERP_DB, ERP_USER }: Env): HubConfig["backOffice"] | null {
  try {
    return readHubConfig({ ERP_URL, ERP_DB, ERP_USER, ERP_PASSWORD: "any" }).backOffice;
  } catch {
    return null; // An address that cannot be used is the same as no other.
  }
}

/**
 * Settings that decide whom the hub trusts, where it listens and which files it uses. Whoever may change them owns the
 * hub, so they are changed on its own computer only, never over the network.
 */
const localOnly: ReadonlySet<string> = new Set<SettingName>([
  "HUB_DEV_AUTH",
  "HUB_ALLOWED_ORIGINS",
  "HUB_ALLOWED_HOSTS",
  "HUB_TRUST_PROXY",
  "HUB_HOST",
  "HUB_DB_PATH",
  "HUB_BACKUP_DIR",
]);

/** What there is to know about a setting, whatever it is set to. */
export interface SettingFact {
  name: SettingName;
  default: string;
  /** What values are taken, in words. */
  allowed: string;
  isSecret: boolean;
  /** Changed on the hub's own computer only. */
  isLocalOnly: boolean;
}

export function settingFacts(): SettingFact[] {
  const written = (fallback: unknown): string => (Array.isArray(fallback) ? fallback.join(",") : String(fallback));
  const account = { default: "hub", allowed: "any text; empty means that the hub has no account of its own" };
  return [
    ...Object.entries(settings).map(([name, { fallback, allowed }]) => ({
      name: name as SettingName,
      default: written(fallback),
      allowed,
      isSecret: false,
      isLocalOnly: localOnly.has(name),
    })),
    { name: "ERP_USER", ...account, isSecret: false, isLocalOnly: false },
    { name: "ERP_PASSWORD", ...account, isSecret: true, isLocalOnly: false },
  ];
}

interface Setting<T> {
  schema: z.ZodType<T, string>;
  fallback: T;
  allowed: string;
}

function setting<T>(schema: z.ZodType<T, string>, fallback: NoInfer<T>, allowed: string): Setting<T> {
  return { schema, fallback, allowed };
}

function whole(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
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

function httpAddress(): z.ZodType<string, string> {
  return z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""));
}
