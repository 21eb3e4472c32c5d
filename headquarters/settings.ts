import path from "node:path";
import { unknownSettings } from "@comanda/protocol/unknown-settings.ts";
import { z } from "zod";

const url = (...schemes: string[]) =>
  z.url({
    protocol: new RegExp(`^(?:${schemes.join("|")})$`),
    error: `has to begin with ${schemes.map((each) => `${each}:`).join(" or ")}`,
    abort: true,
  });

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A URL that receives secrets: https, or plain http on loopback. */
const secureUrl = () =>
  url("https", "http")
    .refine((text) => new URL(text).protocol === "https:" || loopback.has(new URL(text).hostname), {
      error: "has to begin with https:",
    })
    .refine((text) => new URL(text).search + new URL(text).hash === "", { error: "has to end with its path" });

const Environment = z.object({
  /** Folder of the embedded database, the built-in NATS server's store, and keys. */
  HQ_DATA_DIR: z.string().min(1).default(".cache/headquarters"),
  HQ_HOST: z.string().min(1).default("127.0.0.1"),
  /** 0: any free port. */
  HQ_PORT: z.coerce.number().int().min(0).max(65_535).default(8180),
  /** Requests come through the chain's own proxy. The last entry of its X-Forwarded-For is the client's address. */
  HQ_BEHIND_PROXY: z.stringbool().default(false),
  HQ_CHAIN_NAME: z.string().min(1).max(120).default("Cadena"),
  /** postgres://. Absent: an embedded database in HQ_DATA_DIR. */
  HQ_DATABASE_URL: url("postgres", "postgresql").optional(),
  /** Absent: the built-in NATS server on loopback, with its store in HQ_DATA_DIR. */
  HQ_NATS_URL: url("nats", "tls", "ws", "wss").optional(),
  /** The URL that restaurants connect to, if it differs from HQ_NATS_URL. */
  HQ_NATS_PUBLIC_URL: url("nats", "tls", "ws", "wss").optional(),
  /** PEM file of the NATS server's certificate authority, if it is the chain's own. Restaurants get it when they enrol. */
  HQ_NATS_CA_FILE: z.string().min(1).optional(),
  /** The file of users that the NATS server's configuration includes. Absent: a file in HQ_DATA_DIR. */
  HQ_NATS_USERS_FILE: z.string().min(1).optional(),
  /** The NATS server's pid file, used to make it reload its users. Absent: the operator has to see to the reload. */
  HQ_NATS_PID_FILE: z.string().min(1).optional(),
  /** URL that alerts of severity `page` are posted to. */
  HQ_ALERT_URL: url("http", "https").optional(),
  /** Days that checks and lines are kept: more than hubs send at first. Sums by hour and day are kept for ever. */
  HQ_CHECK_DAYS: z.coerce.number().int().min(60).max(4_000).default(400),
  /** The URL of headquarters in browsers. Required with HQ_OIDC_ISSUER, whose sign-in redirects back to it. */
  HQ_PUBLIC_URL: secureUrl().optional(),
  /** The OpenID Connect provider that people may also sign in with. */
  HQ_OIDC_ISSUER: secureUrl().optional(),
  HQ_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Absent: a public client, protected by PKCE alone. */
  HQ_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** The provider's name on the sign-in button. Absent: the issuer's host. */
  HQ_OIDC_NAME: z.string().min(1).max(60).optional(),
  /** Trust e-mails that the provider does not mark as verified or unverified: for chains that assign the addresses. */
  HQ_OIDC_TRUST_EMAIL: z.stringbool().default(false),
});
type Environment = z.infer<typeof Environment>;

export type OidcSettings = NonNullable<ReturnType<typeof oidcOf>>;
export type HeadquartersSettings = ReturnType<typeof readSettings>;

/** Reads the settings from the environment; an empty one counts as absent. Throws an Error that names every unusable variable and the reason. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const read = Environment.safeParse(
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== "")),
  );
  if (!read.success) {
    const problems = read.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`);
    throw new Error(problems.join("\n"));
  }
  const env = read.data;
  const dataDir = path.resolve(env.HQ_DATA_DIR);
  return {
    dataDir,
    host: env.HQ_HOST,
    port: env.HQ_PORT,
    behindProxy: env.HQ_BEHIND_PROXY,
    chainName: env.HQ_CHAIN_NAME,
    databaseUrl: env.HQ_DATABASE_URL ?? null,
    natsUrl: env.HQ_NATS_URL ?? null,
    natsPublicUrl: env.HQ_NATS_PUBLIC_URL ?? null,
    natsCaFile: env.HQ_NATS_CA_FILE ?? null,
    natsUsersFile: path.resolve(env.HQ_NATS_USERS_FILE ?? path.join(dataDir, "nats", "users.conf")),
    natsPidFile: env.HQ_NATS_PID_FILE ?? null,
    alertUrl: env.HQ_ALERT_URL ?? null,
    checkDays: env.HQ_CHECK_DAYS,
    oidc: oidcOf(env),
    warnings: unknownSettings(environment, Object.keys(Environment.shape)),
  };
}

function oidcOf(env: Environment) {
  const { HQ_OIDC_ISSUER: issuer, HQ_OIDC_CLIENT_ID: clientId, HQ_PUBLIC_URL: publicUrl } = env;
  const isConfigured = issuer !== undefined || clientId !== undefined || env.HQ_OIDC_CLIENT_SECRET !== undefined;
  if (!isConfigured) return null;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) {
    const needed = { HQ_OIDC_ISSUER: issuer, HQ_OIDC_CLIENT_ID: clientId, HQ_PUBLIC_URL: publicUrl };
    const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new Error(missing.map((name) => `${name}: is needed to sign in by OpenID Connect`).join("\n"));
  }
  return {
    issuer,
    clientId,
    clientSecret: env.HQ_OIDC_CLIENT_SECRET ?? null,
    name: env.HQ_OIDC_NAME ?? new URL(issuer).host,
    trustsEmail: env.HQ_OIDC_TRUST_EMAIL,
    // Always ends with a slash.
    publicUrl: publicUrl.endsWith("/") ? publicUrl : `${publicUrl}/`,
  };
}
