import Koa, { type Middleware } from "koa";
import type { HealthReport } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { hasOneHost, isTrustedHost, type HostRules } from "./access/allowed-origin.ts";
import { errorEdge } from "./error-edge.ts";
import type { Peers } from "../platform/peer-address.ts";
import { staticFiles } from "./pages/static-files.ts";
import { statusPage } from "./pages/status-page.ts";

/** The hub's HTTP side: health, screens, and the APIs, each a middleware. */
export function createHttpApp(deps: {
  world: World;
  /** The built screens, and the built terminal. */
  rendererDir: string;
  terminalDir: string;
  hostRules(): HostRules;
  peerOf: Peers["of"];
  health(): HealthReport;
  apis: readonly Middleware[];
}): Koa {
  const app = new Koa();
  // Koa prints what a client caused by hanging up; the error edge has logged what matters.
  app.on("error", (error: unknown) => deps.world.log.debug({ err: error }, "a response could not be sent"));
  app.use(nameThePeer(deps.peerOf));
  app.use(errorEdge(deps.world));
  app.use(requirePath);
  app.use(requireOneHost);
  app.use(requireOwnName(deps.hostRules));
  for (const api of deps.apis) app.use(api);
  app.use(healthRoute(deps.health));
  app.use(staticFiles(deps.terminalDir, { at: "/terminal/" }));
  app.use(staticFiles(deps.rendererDir, { at: "/", fallback: statusPage }));
  return app;
}

/** From here on `ctx.ip` is the peer that is counted, limited and written down. */
function nameThePeer(peerOf: Peers["of"]): Middleware {
  return (ctx, next) => {
    ctx.request.ip = peerOf(ctx.req);
    return next();
  };
}

/** A request line such as `GET http://` names no path at all. */
const requirePath: Middleware = async (ctx, next) => {
  if ((ctx.path as string | null) === null) throw new HubError("NOT_FOUND", "there is nothing at this address");
  await next();
};

/** Of two, whatever stands in front of the hub may have read the other one. */
const requireOneHost: Middleware = async (ctx, next) => {
  if (!hasOneHost(ctx.req)) throw new HubError("VALIDATION_ERROR", "Host: must be given once");
  await next();
};

/**
 * Every request but these must name this hub (see `isTrustedHost`). `/external/v1` takes a key in a header, and
 * `/external-keys` a manager's token, which no foreign page has: integrators reach both by whatever name stands in front
 * of the hub. `/health` is open to monitors under any name, and holds counts and states only.
 */
function requireOwnName(rules: () => HostRules): Middleware {
  return async (ctx, next) => {
    const isOpen = ctx.path === "/health" || /^\/external(\/v1|-keys)(\/|$)/.test(ctx.path);
    if (!isOpen && !isTrustedHost(ctx.get("Host"), ctx.socket.localAddress, rules())) {
      throw new HubError("MISDIRECTED_REQUEST", "this hub is not known by that name; see HUB_ALLOWED_HOSTS");
    }
    await next();
  };
}

function healthRoute(health: () => HealthReport): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/health" || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    ctx.set("Cache-Control", "no-store");
    ctx.body = health();
  };
}
