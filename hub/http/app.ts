import Koa, { type Middleware } from "koa";
import type { HealthReport } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { hasOneHost, isTrustedHost, type HostRules } from "./access/allowed-origin.ts";
import { errorEdge } from "./error-edge.ts";
import type { Peers } from "../platform/peer-address.ts";
import { staticFiles } from "./pages/static-files.ts";

/** Creates the hub's HTTP app: health, screens and the APIs, each a middleware. */
export function createHttpApp(deps: {
  world: World;
  /** The folders of the built screens and of the built terminal. */
  rendererDir: string;
  terminalDir: string;
  hostRules(): HostRules;
  peerOf: Peers["addressOf"];
  health(): HealthReport;
  apis: readonly Middleware[];
}): Koa {
  const app = new Koa();
  // Replaces Koa's own printing: these errors come from clients that hang up, and the error edge has logged the rest.
  app.on("error", (error: unknown) => deps.world.log.debug({ err: error }, "a response could not be sent"));
  app.use(setPeer(deps.peerOf));
  app.use(stampAnswers(deps.world));
  app.use(errorEdge(deps.world));
  app.use(requirePath);
  app.use(requireOneHost);
  app.use(requireOwnName(deps.hostRules));
  for (const api of deps.apis) app.use(api);
  app.use(healthRoute(deps.health));
  app.use(staticFiles(deps.terminalDir, "/terminal/"));
  app.use(staticFiles(deps.rendererDir, "/"));
  return app;
}

/** Sets `ctx.ip` to the peer that is rate-limited and logged. */
function setPeer(peerOf: Peers["addressOf"]): Middleware {
  return (ctx, next) => {
    ctx.request.ip = peerOf(ctx.req);
    return next();
  };
}

/** Dates each answer by the hub's time, as all stamps in it: the screens measure ages by it. */
function stampAnswers({ clock }: World): Middleware {
  return async (ctx, next) => {
    const stamp = (): void => ctx.set("Date", new Date(clock.now()).toUTCString());
    // A stream is under way before `next` returns; other answers may have taken long.
    stamp();
    await next();
    stamp();
  };
}

/** Refuses a request line without a path, such as `GET http://`. */
const requirePath: Middleware = async (ctx, next) => {
  if ((ctx.path as string | null) === null) throw new HubError("NOT_FOUND", "there is nothing at this address");
  await next();
};

/** Refuses a second Host header: a proxy in front of the hub may have read the other one. */
const requireOneHost: Middleware = async (ctx, next) => {
  if (!hasOneHost(ctx.req)) throw new HubError("VALIDATION_ERROR", "Host: must be given once");
  await next();
};

/**
 * Requires that a request names this hub (see `isTrustedHost`), with three exceptions. `/external/v1` needs a key in a header
 * and `/external-keys` a manager's token, which no foreign page has: integrators may reach both through a proxy's name.
 * `/health` is open to monitors under any name and has only counts and states.
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
