// `protocol` and `session`: custom schemes are served by intercepting Chromium's requests to a loopback host name.
import { EventEmitter } from "node:events";
import { note } from "./effects.ts";

type SchemeHandler = (request: Request) => Response | Promise<Response>;

const schemes = new Map<string, SchemeHandler>();

export const protocol = {
  registerSchemesAsPrivileged: (list: unknown) => note("protocol.registerSchemesAsPrivileged", list),
  handle: (scheme: string, handler: SchemeHandler) => void schemes.set(scheme, handler),
  unhandle: (scheme: string) => void schemes.delete(scheme),
  isProtocolHandled: (scheme: string) => schemes.has(scheme),
};

/** Maps `app://hub/page` to `http://hub.app.localhost/page`, because Chromium cannot load custom schemes. */
export function toChromium(address: string): string {
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  return schemes.has(scheme)
    ? `http://${url.host}.${scheme}.localhost${url.pathname || "/"}${url.search}${url.hash}`
    : address;
}

export function fromChromium(address: string): string {
  const [, host, scheme, rest] = /^http:\/\/(.+)\.([^.]+)\.localhost(\/.*)$/.exec(address) ?? [];
  return scheme !== undefined && schemes.has(scheme) ? `${scheme}://${host}${rest}` : address;
}

/** A page's request as Chromium's interception describes it. */
export interface PageRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  postData?: string;
}

/** Returns the response of the app's handler, or undefined for an address without a custom scheme. */
export function answerScheme({ url, method, headers, postData }: PageRequest): Promise<Response> | undefined {
  const appUrl = fromChromium(url);
  const handler = appUrl === url ? undefined : schemes.get(new URL(appUrl).protocol.slice(0, -1));
  if (handler === undefined) return undefined;
  return Promise.resolve(handler(new Request(appUrl, { method, headers, body: postData ?? null })));
}

type PermissionCheck = (contents: unknown, permission: string, origin: string) => boolean;

/** The permissions that Chromium requires before a page may reach the hub. */
const networkPermissions = ["local-network-access", "local-network", "loopback-network"];

/** Returns the local network permissions that the app grants to a page of its own schemes; none for other pages. */
export function grantedNetwork(address: string): { origin: string; permissions: string[] } {
  const { protocol, host } = new URL(address);
  const { check } = defaultSession.permissions;
  const isOwn = schemes.has(protocol.slice(0, -1));
  const isGranted = (permission: string) => isOwn && check?.(null, permission, `${protocol}//${host}`) === true;
  return { origin: new URL(toChromium(address)).origin, permissions: networkPermissions.filter(isGranted) };
}

function createSession() {
  const permissions: { request?: unknown; check?: PermissionCheck } = {};
  return Object.assign(new EventEmitter(), {
    protocol,
    permissions,
    setPermissionRequestHandler: (handler: unknown) => void (permissions.request = handler),
    setPermissionCheckHandler: (handler: PermissionCheck) => void (permissions.check = handler),
    setDevicePermissionHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    webRequest: { onHeadersReceived: () => undefined, onBeforeRequest: () => undefined },
    clearCache: () => Promise.resolve(),
    clearStorageData: () => Promise.resolve(),
    flushStorageData: () => undefined,
  });
}

const partitions = new Map<string, ReturnType<typeof createSession>>();
const defaultSession = createSession();

export const session = {
  defaultSession,
  fromPartition(name: string) {
    const partition = partitions.get(name) ?? createSession();
    partitions.set(name, partition);
    return partition;
  },
};
