import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HubError } from "../../platform/errors.ts";
import { isNameOfThisMachine, isThisMachine } from "../../platform/loopback.ts";
import { unmapped } from "../../platform/peer-address.ts";

/** Which web pages may open a terminal connection. */
export interface OriginRules {
  /** The port the hub listens on. */
  port: number;
  backOfficeUrl: string;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
}

/** Origins of the desktop clients' own pages. No web page can have such an origin. */
const fixedOrigins = new Set([
  "app://terminal",
  "tauri://localhost",
  "http://tauri.localhost",
  "https://tauri.localhost",
]);

/** Accepts requests without an Origin, and pages of the hub, the back-office, the desktop clients or the allow-list. */
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

/** Whether a request has at most one Host header. Node takes the first and ignores the others. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length <= 1;
}

/** Refuses requests from pages that may not open a terminal connection either. */
export function originGate(rules: () => OriginRules) {
  return (_path: string, request: IncomingMessage): void => {
    if (isAllowedOrigin(request.headers.origin, rules())) return;
    throw new HubError("FORBIDDEN", "this page may not use the hub; see HUB_ALLOWED_ORIGINS");
  };
}

/** The names and addresses under which this hub answers. */
export interface HostRules {
  allowedHosts: readonly string[];
  /** The name announced on the network, such as `comanda-hub.local`; null if none is. */
  announcedHost: string | null;
}

/**
 * Whether a Host header names this hub: an address or name of this machine, the announced name or an allowed one. With any
 * other name that resolves here (DNS rebinding), a foreign page could read what only the hub's own pages may.
 */
export function isTrustedHost(host: string, localAddress: string | undefined, rules: HostRules): boolean {
  const name = hostnameOf(host);
  if (name === "") return false;
  if (isIP(unbracketed(name)) !== 0 && localAddress !== undefined && unbracketed(name) === unmapped(localAddress))
    return true;
  return (
    isOwnHost(name, rules.allowedHosts) || (rules.announcedHost !== null && name === hostnameOf(rules.announcedHost))
  );
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? "";
}

function isOwnHost(name: string, allowedHosts: readonly string[]): boolean {
  const address = unbracketed(name);
  if (isIP(address) !== 0) return isThisMachine(address);
  return isNameOfThisMachine(name) || allowedHosts.some((allowed) => hostnameOf(allowed) === name);
}

function unbracketed(name: string): string {
  return name.startsWith("[") ? name.slice(1, -1) : name;
}
