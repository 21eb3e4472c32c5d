// `protocol` and `session`: custom schemes are served through Chromium's request interception, under a host name of loopback.
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

/** `app://hub/page` is `http://hub.app.localhost/page` inside Chromium, which knows no other way to a scheme of ours. */
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

/** The answer of the app's own handler, or undefined for an address that is none of its schemes. */
export function answerScheme(address: string, method: string): Promise<Response> | undefined {
  const original = fromChromium(address);
  const handler = original === address ? undefined : schemes.get(new URL(original).protocol.slice(0, -1));
  if (handler === undefined) return undefined;
  return Promise.resolve(handler(new Request(original, { method })));
}

function createSession() {
  const permissions: { request?: unknown; check?: unknown } = {};
  return Object.assign(new EventEmitter(), {
    protocol,
    permissions,
    setPermissionRequestHandler: (handler: unknown) => void (permissions.request = handler),
    setPermissionCheckHandler: (handler: unknown) => void (permissions.check = handler),
    setDevicePermissionHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    webRequest: { onHeadersReceived: () => undefined, onBeforeRequest: () => undefined },
    clearCache: () => Promise.resolve(),
    clearStorageData: () => Promise.resolve(),
  });
}

const partitions = new Map<string, ReturnType<typeof createSession>>();
const defaultSession = createSession();

export const session = {
  defaultSession,
  fromPartition(name: string) {
    const known = partitions.get(name) ?? createSession();
    partitions.set(name, known);
    return known;
  },
};
