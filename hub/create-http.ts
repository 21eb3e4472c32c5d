import { externalApi, keyAdministrationApi, operatorApi, terminalApi, type HealthReport } from "@comanda/protocol";
import type { Background } from "./create-background.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import type { createAnnouncer } from "./discovery/announce.ts";
import type { Access } from "./http/access.ts";
import { isAllowedOrigin, originGate, type OriginRules } from "./http/allowed-origin.ts";
import { apiDocs } from "./http/api-docs.ts";
import { createHttpApp } from "./http/app.ts";
import type { OperatorHandlers } from "./http/handlers.ts";
import { createPortServer } from "./http/port-server.ts";
import { externalFloorRoutes } from "./http/routes/external-floor.ts";
import { externalOrderRoutes } from "./http/routes/external-orders.ts";
import { externalPluginRoutes, pluginGate } from "./http/routes/external-plugins.ts";
import { externalWebhookRoutes } from "./http/routes/external-webhooks.ts";
import { keyAdministrationRoutes } from "./http/routes/key-administration.ts";
import { terminalMenuRoutes } from "./http/routes/terminal-menu.ts";
import { terminalOrderRoutes } from "./http/routes/terminal-orders.ts";
import { terminalPeopleRoutes } from "./http/routes/terminal-people.ts";
import type { PasswordSignIn } from "./http/password-sign-in.ts";
import { shiftSince } from "./operator/session-totals.ts";
import { serveApi, type ApiDeps } from "./http/serve-api.ts";
import type { OrderDeps } from "./orders/order-deps.ts";
import { createOrderList } from "./orders/order-list.ts";
import { apiDocsFolder } from "./platform/paths.ts";
import type { Peers } from "./platform/peer-address.ts";
import type { World } from "./platform/world.ts";
import type { HubConfig } from "./settings/config.ts";
import type { TerminalServer } from "./terminals/terminal-server.ts";

/** Requests of the key administration that one address may make in a minute. */
const KEY_CALLS_A_MINUTE = 30;
/** Requests of the terminals' API that one address may make in a minute: a few a second, for a search as it is typed. */
const TERMINAL_CALLS_A_MINUTE = 600;

export interface HttpDeps extends Stores, BackOffice, Background {
  config: HubConfig;
  worldOf: (component: string) => World;
  orderDeps: OrderDeps;
  access: Access;
  passwordSignIn: PasswordSignIn;
  operatorHandlers: OperatorHandlers;
  announcer: ReturnType<typeof createAnnouncer>;
  terminals: Pick<TerminalServer, "upgrade">;
  peers: Peers;
  health(): HealthReport;
  /** The port that the hub listens on. */
  port(): number;
}

/** The port with everything that it serves: three APIs, documents, health, screens, and the terminals' connections. */
export function createHttp(deps: HttpDeps) {
  const { config, worldOf, orderDeps, access, announcer, peers, changes, floorPlan, currentSession } = deps;
  const { backOffice: erp, allowedOrigins, allowedHosts } = config;
  const world = worldOf("http");
  const apiDeps: ApiDeps = {
    world,
    access,
    settled: changes.settled,
    limits: {
      peer: config.externalRateMax,
      key: config.externalKeyRateMax,
      keyAdministration: KEY_CALLS_A_MINUTE,
      terminal: TERMINAL_CALLS_A_MINUTE,
    },
  };
  const orderList = createOrderList({
    ...deps,
    world: orderDeps.world,
    file: config.dbPath,
    onDamage: deps.watch.reportDamagedRow,
  });
  const externalHandlers = {
    ...externalFloorRoutes({ ...deps, world }),
    ...externalOrderRoutes({ ...orderDeps, floorPlan, currentSession }, orderList),
    ...externalWebhookRoutes(deps.webhooks),
    ...externalPluginRoutes(deps.pluginService),
  };
  const terminalDeps = {
    ...deps,
    world,
    orders: orderDeps.orders,
    stations: orderDeps.stations,
    itemStates: orderDeps.itemStates.list,
    shiftSince: () => shiftSince(deps.memory),
  };
  const terminalHandlers = {
    ...terminalPeopleRoutes(terminalDeps),
    ...terminalMenuRoutes(terminalDeps),
    ...terminalOrderRoutes({ ...terminalDeps, noteCreditNote: deps.creditNotes.record }),
  };
  const originRules = (): OriginRules => ({ port: deps.port(), backOfficeUrl: erp.url, allowedOrigins, allowedHosts });
  const app = createHttpApp({
    world,
    rendererDir: config.rendererDir,
    hostRules: () => ({ allowedHosts: config.allowedHosts, announcedHost: announcer.hostname() }),
    peerOf: peers.of,
    health: deps.health,
    apis: [
      serveApi(externalApi, externalHandlers, { ...apiDeps, gate: pluginGate(config.enabledPlugins) }),
      serveApi(keyAdministrationApi, keyAdministrationRoutes({ ...deps, world }), apiDeps),
      apiDocs(apiDocsFolder),
      serveApi(operatorApi, deps.operatorHandlers, apiDeps),
      serveApi(terminalApi, terminalHandlers, { ...apiDeps, gate: originGate(originRules) }),
    ],
  });
  return createPortServer({
    world,
    onRequest: app.callback(),
    isProxy: peers.isProxy,
    onUpgrade(request, socket, head) {
      if (URL.parse(request.url ?? "", "ws://hub")?.pathname !== "/") return "404 Not Found";
      return isAllowedOrigin(request.headers.origin, originRules())
        ? deps.terminals.upgrade(request, socket, head)
        : "403 Forbidden";
    },
  });
}
