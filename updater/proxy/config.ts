import { randomBytes } from "node:crypto";
import { appendFileSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DAY_MS } from "@comanda/protocol";
import { unknownSettings } from "@comanda/protocol/unknown-settings.ts";

const settingNames = [
  "UPDATE_SOURCE",
  "UPDATE_HOST",
  "UPDATE_PORT",
  "UPDATE_PUBLIC_URL",
  "UPDATE_CACHE_MS",
  "UPDATE_URL_TTL_MS",
  "UPDATE_URL_SECRET",
  "UPDATE_GITHUB_API",
  "UPDATE_GITHUB_TOKEN",
] as const;
type SettingName = (typeof settingNames)[number];

export interface ProxyConfig {
  host: string;
  port: number;
  cacheMs: number;
  source:
    | { kind: "github"; api: URL; owner: string; repository: string; token: string | undefined }
    | { kind: "dir"; root: string; ttlMs: number; secret: string };
  /** Base of our own download addresses, without a trailing slash; undefined for the address listened on. */
  publicUrl: string | undefined;
  /** Warnings for the log: allowed, but probably not intended. */
  warnings: string[];
}

/** An invalid setting. The message names the variable, the value and what is allowed. */
export class BadSetting extends Error {
  override name = "BadSetting";
}

/** Reads the proxy's settings. An empty variable counts as unset. */
export function readProxyConfig(env: Record<string, string | undefined>): ProxyConfig {
  const setting = (name: SettingName) => env[name]?.trim() || undefined;
  const warnings = unknownSettings(env, settingNames);
  const publicUrl = readAddress("UPDATE_PUBLIC_URL", setting("UPDATE_PUBLIC_URL"));
  const source = readSource(setting, warnings);
  if (source.kind === "dir" && publicUrl === undefined && !isLoopback(setting("UPDATE_HOST") ?? "127.0.0.1")) {
    warnings.push("UPDATE_PUBLIC_URL is not set: download addresses will name the address that this proxy listens on");
  }
  return {
    host: setting("UPDATE_HOST") ?? "127.0.0.1",
    port: readNumber("UPDATE_PORT", setting("UPDATE_PORT"), 8770, 0, 65_535),
    cacheMs: readNumber("UPDATE_CACHE_MS", setting("UPDATE_CACHE_MS"), 300_000, 200, DAY_MS),
    source,
    publicUrl: publicUrl?.href.replace(/\/+$/, ""),
    warnings,
  };
}

function readSource(setting: (name: SettingName) => string | undefined, warnings: string[]): ProxyConfig["source"] {
  // Validated for either source, so that an error shows now and not when the source changes.
  const api = readAddress("UPDATE_GITHUB_API", setting("UPDATE_GITHUB_API")) ?? new URL("https://api.github.com");
  const token = setting("UPDATE_GITHUB_TOKEN");
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new BadSetting(
      "UPDATE_GITHUB_TOKEN holds characters that no credential has; allowed are printable ones without spaces.",
    );
  }
  const ttlMs = readNumber("UPDATE_URL_TTL_MS", setting("UPDATE_URL_TTL_MS"), 600_000, 200, DAY_MS);

  const text = setting("UPDATE_SOURCE");
  const github = /^github:([A-Za-z0-9][A-Za-z0-9-]*)\/(?!\.\.?$)([A-Za-z0-9._-]+)$/.exec(text ?? "");
  if (github !== null) {
    const [, owner = "", repository = ""] = github;
    if (token !== undefined && api.protocol === "http:" && !isLoopback(api.hostname)) {
      warnings.push("UPDATE_GITHUB_API is plain http: the credential travels readably");
    }
    return { kind: "github", api, owner, repository, token };
  }
  if (text?.startsWith("dir:") === true && text.length > "dir:".length) {
    const root = path.resolve(text.slice("dir:".length));
    if (!isFolder(root))
      throw new BadSetting(
        `UPDATE_SOURCE is "${text}", but ${root} is no folder that can be read; allowed are github:OWNER/REPO and dir:PATH.`,
      );
    const secret = setting("UPDATE_URL_SECRET");
    if (secret !== undefined && secret.length < 32)
      warnings.push("UPDATE_URL_SECRET is short: 32 random characters are advised");
    return { kind: "dir", root, ttlMs, secret: secret ?? secretOf(root, warnings) };
  }
  throw new BadSetting(
    `UPDATE_SOURCE is ${text === undefined ? "not set" : `"${text}"`}; allowed are github:OWNER/REPO and dir:PATH.`,
  );
}

/**
 * Returns the secret stored in the release folder, created at the first start. Addresses signed with it stay valid after a
 * restart and work at every proxy of the folder.
 */
function secretOf(root: string, warnings: string[]): string {
  const file = path.join(root, ".url-secret");
  const stored = readSecret(file);
  if (stored !== null) return stored;
  const secret = randomBytes(32).toString("base64url");
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, secret, { mode: 0o600, flush: true });
    keepSecret(secret, draft, file);
    // Another proxy of the folder may have been first.
    return readSecret(file) ?? secret;
  } catch {
    rmSync(draft, { force: true });
    warnings.push(
      `UPDATE_URL_SECRET is not set and ${file} cannot be kept: download addresses end when this proxy does`,
    );
    return secret;
  }
}

/** Stores a new secret unless the folder already has a complete one. */
function keepSecret(secret: string, draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch {
    // The file is empty after a power cut, or the disk has no hard links. If several proxies append, the first line counts.
    if (readSecret(file) === null) appendFileSync(file, `\n${secret}\n`, { mode: 0o600, flush: true });
  }
  rmSync(draft, { force: true });
}

function readSecret(file: string): string | null {
  try {
    return (
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.trim())
        .find(({ length }) => length >= 32) ?? null
    );
  } catch {
    return null;
  }
}

function readNumber(name: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new BadSetting(`${name} is "${text}"; allowed are whole numbers from ${min} to ${max}.`);
}

function readAddress(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const address = URL.parse(text);
  // The value may contain a password, so the message does not repeat it.
  if (address !== null && (address.username !== "" || address.password !== "")) {
    throw new BadSetting(`${name} holds a user name or password; allowed are http and https addresses without one.`);
  }
  if (address !== null && /^https?:$/.test(address.protocol) && address.search === "" && address.hash === "")
    return address;
  throw new BadSetting(`${name} is "${text}"; allowed are http and https addresses without a query.`);
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}
