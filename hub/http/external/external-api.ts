import type { IncomingMessage } from "node:http";
import { API_KEY_PREFIX, EXTERNAL_PREFIX } from "@comanda/protocol";
import type { Middleware } from "koa";
import { HubError } from "../../platform/errors.ts";
import type { KeyHolder, KeyStore } from "../../keys/key-store.ts";
import type { World } from "../../platform/world.ts";
import { createRateLimiter } from "../rate-limiter.ts";
import { isJsonText, type Call, type Endpoint } from "./endpoint.ts";
import { createRouter, decodeSegment, segmentsBelow } from "./paths.ts";
import { bearerOf, drain, readBody } from "./read-call.ts";

/**
 * Everything below `/external/v1`. Each request passes, in this order: the peer's rate, the plugin gate, the key, the
 * key's rate, the route, the scope, the body's size, its JSON and schema; then its endpoint decides.
 */
export function externalApi(deps: {
  world: World;
  keys: KeyStore;
  endpoints: readonly Endpoint[];
  enabledPlugins: readonly string[];
  ratePerPeer: number;
  ratePerKey: number;
}): Middleware {
  const { world, keys } = deps;
  const find = createRouter(deps.endpoints);
  const plugins = new Set(deps.enabledPlugins);
  const peers = createRateLimiter(deps.ratePerPeer, world.clock.monotonic);
  const holders = createRateLimiter(deps.ratePerKey, world.clock.monotonic);

  function admit(request: IncomingMessage, peer: string, segments: readonly string[]): KeyHolder {
    if (!peers.admits(peer)) throw new HubError("RATE_LIMITED", "too many requests from this address");
    if (segments[0] === "plugins" && !plugins.has(segments[1] ?? "")) {
      throw new HubError("NOT_FOUND", "this plugin is not enabled; see HUB_ENABLED_PLUGINS");
    }
    const token = keyTokenOf(request);
    const key = token === null ? null : keys.verify(token);
    if (key === null) throw new HubError("UNAUTHENTICATED", "a valid API key is needed");
    if (!holders.admits(key.keyId)) throw new HubError("RATE_LIMITED", "too many requests with this key");
    return key;
  }

  return async (ctx, next) => {
    const segments = segmentsBelow(EXTERNAL_PREFIX, ctx.path);
    if (segments === null) return next();
    try {
      const key = admit(ctx.req, ctx.ip, segments);
      const { route: found, rawParams } = find(ctx.method, segments);
      if (!key.scopes.includes(found.scope)) {
        throw new HubError("FORBIDDEN", `this key lacks the scope ${found.scope}`, { requiredScope: found.scope });
      }
      const body = found.body === undefined ? undefined : await readBody(ctx.req, found.body);
      const params = Object.fromEntries(Object.entries(rawParams).map(([name, raw]) => [name, decodeSegment(raw)]));
      const call: Call<unknown> = { key, params, query: new URLSearchParams(ctx.querystring), body };
      const reply = await found.handle(call as Call<never>);
      ctx.status = reply.status;
      if (isJsonText(reply)) ctx.type = "application/json";
      ctx.body = reply.body;
    } catch (error) {
      await drain(world, ctx.req);
      throw error;
    }
  };
}

/** The presented key; a bearer value without the key prefix is somebody else's session token. */
function keyTokenOf(request: IncomingMessage): string | null {
  const header = request.headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = bearerOf(request);
  return bearer?.startsWith(API_KEY_PREFIX) === true ? bearer : null;
}
