import { hostname, networkInterfaces } from "node:os";
import { isIP } from "node:net";

/** Which web pages may open a terminal connection. */
export interface OriginRules {
  /** The port the hub listens on. */
  port: number;
  backOfficeUrl: string;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
}

const fixedOrigins = new Set(["tauri://localhost", "http://tauri.localhost", "https://tauri.localhost"]);

/** No Origin is no page. A page must come from the hub itself, the back-office, the desktop client or the allow-list. */
export function isAllowedOrigin(origin: string | undefined, rules: OriginRules): boolean {
  if (origin === undefined || fixedOrigins.has(origin)) return true;
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  if (url.origin === URL.parse(rules.backOfficeUrl)?.origin) return true;
  if (rules.allowedOrigins.some((allowed) => URL.parse(allowed)?.origin === url.origin)) return true;
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const isOwnPort = port === rules.port || port === 443 || port === 80;
  return isOwnPort && isOwnHost(url.hostname, rules.allowedHosts);
}

/** The names under which this machine's pages may be asked for; anything else smells of DNS rebinding. */
export function isTrustedHost(host: string, allowedHosts: readonly string[]): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  return isIP(unbracketed(name)) !== 0 || isNamedHere(name, allowedHosts) || name.endsWith(".local");
}

function isOwnHost(name: string, allowedHosts: readonly string[]): boolean {
  const address = unbracketed(name);
  if (isIP(address) === 0) return isNamedHere(name, allowedHosts);
  if (address === "::1" || address.startsWith("127.")) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === address) ?? false);
}

function isNamedHere(name: string, allowedHosts: readonly string[]): boolean {
  const own = hostname().toLowerCase();
  return name === "localhost" || name === own || name === `${own}.local` || allowedHosts.includes(name);
}

function unbracketed(name: string): string {
  return name.startsWith("[") ? name.slice(1, -1) : name;
}
