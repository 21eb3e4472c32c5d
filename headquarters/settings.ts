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

/** One that secrets go to, or come back to: plain http on this machine alone. */
const secureUrl = () =>
  url("https", "http")
    .refine((text) => new URL(text).protocol === "https:" || loopback.has(new URL(text).hostname), {
      error: "has to begin with https:",
    })
    .refine((text) => new URL(text).search + new URL(text).hash === "", { error: "has to end with its path" });

const Environment = z.object({
  /** Where the program keeps what is its own: the embedded database, the store of its NATS server, keys. */
  HQ_DATA_DIR: z.string().min(1).default(".cache/headquarters"),
  HQ_HOST: z.string().min(1).default("127.0.0.1"),
  /** 0: any free port. */
  HQ_PORT: z.coerce.number().int().min(0).max(65_535).default(8180),
  /** Requests come through a proxy of the chain's own, whose last entry of X-Forwarded-For names the client. */
  HQ_BEHIND_PROXY: z.stringbool().default(false),
  HQ_CHAIN_NAME: z.string().min(1).max(120).default("Cadena"),
  /** postgres://. Absent: an embedded database in HQ_DATA_DIR. */
  HQ_DATABASE_URL: url("postgres", "postgresql").optional(),
  /** Absent: a NATS server of its own on loopback, its store in HQ_DATA_DIR. */
  HQ_NATS_URL: url("nats", "tls", "ws", "wss").optional(),
  /** What restaurants are told to connect to, where that differs from HQ_NATS_URL. */
  HQ_NATS_PUBLIC_URL: url("nats", "tls", "ws", "wss").optional(),
  /** The certificate authority of that server in PEM, where it is the chain's own; restaurants get it when they enrol. */
  HQ_NATS_CA_FILE: z.string().min(1).optional(),
  /** Where that server's configuration includes its users from; absent: in HQ_DATA_DIR. */
  HQ_NATS_USERS_FILE: z.string().min(1).optional(),
  /** That server's own pid file, so that it can be made to read its users again; absent: somebody else sees to that. */
  HQ_NATS_PID_FILE: z.string().min(1).optional(),
  /** Alerts that are to wake somebody are posted there. */
  HQ_ALERT_URL: url("http", "https").optional(),
  /** Days of checks and lines that are kept, above those that hubs send at first; sums by hour and day are kept for ever. */
  HQ_CHECK_DAYS: z.coerce.number().int().min(60).max(4_000).default(400),
  /** What browsers call headquarters. Needed with HQ_OIDC_ISSUER, whose sign-in comes back there. */
  HQ_PUBLIC_URL: secureUrl().optional(),
  /** The OpenID Connect provider by which people may sign in too. */
  HQ_OIDC_ISSUER: secureUrl().optional(),
  HQ_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Absent: a public client, which PKCE alone protects. */
  HQ_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** What the button calls it; absent: the issuer's host. */
  HQ_OIDC_NAME: z.string().min(1).max(60).optional(),
  /** Believe e-mails of which the provider does not say whether they were verified: where the chain itself gives them out. */
  HQ_OIDC_TRUST_EMAIL: z.stringbool().default(false),
});
type Environment = z.infer<typeof Environment>;

export type OidcSettings = NonNullable<ReturnType<typeof oidcOf>>;
export type HeadquartersSettings = ReturnType<typeof readSettings>;

/** Reads the settings from the environment. Throws an Error that names every variable that cannot be used, and why. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const read = Environment.safeParse(environment);
  if (!read.success) {
    const problems = read.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`);
    throw new Error(problems.join("\n"));
  }
  const given = read.data;
  const dataDir = path.resolve(given.HQ_DATA_DIR);
  return {
    dataDir,
    host: given.HQ_HOST,
    port: given.HQ_PORT,
    behindProxy: given.HQ_BEHIND_PROXY,
    chainName: given.HQ_CHAIN_NAME,
    databaseUrl: given.HQ_DATABASE_URL ?? null,
    natsUrl: given.HQ_NATS_URL ?? null,
    natsPublicUrl: given.HQ_NATS_PUBLIC_URL ?? null,
    natsCaFile: given.HQ_NATS_CA_FILE ?? null,
    natsUsersFile: path.resolve(given.HQ_NATS_USERS_FILE ?? path.join(dataDir, "nats", "users.conf")),
    natsPidFile: given.HQ_NATS_PID_FILE ?? null,
    alertUrl: given.HQ_ALERT_URL ?? null,
    checkDays: given.HQ_CHECK_DAYS,
    oidc: oidcOf(given),
    warnings: unknownSettings(environment, Object.keys(Environment.shape)),
  };
}

function oidcOf(given: Environment) {
  const { HQ_OIDC_ISSUER: issuer, HQ_OIDC_CLIENT_ID: clientId, HQ_PUBLIC_URL: publicUrl } = given;
  const isMeant = issuer !== undefined || clientId !== undefined || given.HQ_OIDC_CLIENT_SECRET !== undefined;
  if (!isMeant) return null;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) {
    const needed = { HQ_OIDC_ISSUER: issuer, HQ_OIDC_CLIENT_ID: clientId, HQ_PUBLIC_URL: publicUrl };
    const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new Error(missing.map((name) => `${name}: is needed to sign in by OpenID Connect`).join("\n"));
  }
  return {
    issuer,
    clientId,
    clientSecret: given.HQ_OIDC_CLIENT_SECRET ?? null,
    name: given.HQ_OIDC_NAME ?? new URL(issuer).host,
    trustsEmail: given.HQ_OIDC_TRUST_EMAIL,
    // Ends with a slash.
    publicUrl: publicUrl.endsWith("/") ? publicUrl : `${publicUrl}/`,
  };
}
