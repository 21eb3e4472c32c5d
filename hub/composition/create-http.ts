import { externalApi, keyAdministrationApi, operatorApi, terminalApi, type HealthReport } from "@comanda/protocol";
import type { HubAccess } from "./create-access.ts";
import type { Core } from "./create-core.ts";
import type { Discovery } from "./create-discovery.ts";
import { hasOneHost, isAllowedOrigin, originGate, type OriginRules } from "../http/access/allowed-origin.ts";
import { apiDocs } from "../http/pages/api-docs.ts";
import { createHttpApp } from "../http/app.ts";
import type { ExternalHandlers, OperatorHandlers, TerminalHandlers } from "../http/handlers.ts";
import { pairingPage } from "../http/pages/pairing-page.ts";
import { createPortServer } from "../http/port/port-server.ts";
import { createRequestLanes } from "../http/port/request-lanes.ts";
import { isPracticePath, practiceGate, upgradeToPractice } from "../http/practice-gate.ts";
import { externalMenuRoutes } from "../http/routes/external/menu.ts";
import { externalFloorRoutes } from "../http/routes/external/floor.ts";
import { externalOrderRoutes } from "../http/routes/external/orders.ts";
import { externalPluginRoutes, pluginGate } from "../http/routes/external/plugins.ts";
import { externalWebhookRoutes } from "../http/routes/external/webhooks.ts";
import { keyAdministrationRoutes } from "../http/routes/key-administration.ts";
import { terminalDocumentRoutes } from "../http/routes/terminal/documents.ts";
import { terminalGuestRoutes } from "../http/routes/terminal/guests.ts";
import { terminalLearnedRoutes } from "../http/routes/terminal/learned.ts";
import { terminalMenuRoutes } from "../http/routes/terminal/menu.ts";
import { terminalOrderRoutes } from "../http/routes/terminal/orders.ts";
import { terminalPeopleRoutes } from "../http/routes/terminal/people.ts";
import { terminalPrintingRoutes } from "../http/routes/terminal/printing.ts";
import { terminalPracticeRoutes } from "../http/routes/terminal/practice.ts";
import { serveApi, type ApiDeps } from "../http/serve-api.ts";
import { createExternalOrder } from "../orders/create-external-order.ts";
import { updateExternalOrder } from "../orders/update-external-order.ts";
import type { PracticeService } from "../practice/practice-service.ts";
import { createOrderList } from "../orders/lists/order-list.ts";
import { apiDocsFolder, hubVersion } from "../platform/paths.ts";
import type { Peers } from "../platform/peer-address.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TerminalServer } from "../terminals/terminal-server.ts";

/** Key administration requests per address and minute. */
const KEY_CALLS_PER_MINUTE = 30;
/** Terminal API requests per address and minute: a few per second, for search as you type. */
const TERMINAL_CALLS_PER_MINUTE = 600;

interface HttpDeps extends Pick<Core, "stores" | "pos" | "backOffice" | "orderCommands" | "background" | "documents"> {
  config: HubConfig;
  worldOf: (component: string) => World;
  access: HubAccess;
  operatorHandlers: OperatorHandlers;
  discovery: Pick<Discovery, "announcer" | "networkReach">;
  terminals: Pick<TerminalServer, "upgrade">;
  hubId: string;
  peers: Peers;
  practice: PracticeService;
  health(): HealthReport;
  /** The port that the hub listens on. */
  port(): number;
}

/** Builds the port and everything served there: three APIs, documents, health, screens and terminal connections. */
export function createHttp(deps: HttpDeps) {
  const { config, worldOf, discovery, peers, practice } = deps;
  const { changes, keys, audit } = deps.stores;
  const { backOffice: erp, allowedOrigins, allowedHosts } = config;
  const world = worldOf("http");
  const lanes = createRequestLanes(world, peers.addressOf, {
    // One key may use as much as the settings allow.
    perPayer: { burst: 1_000, perSecond: Math.max(300, config.externalKeyRateMax / 60) },
  });
  const apiDeps: ApiDeps = {
    world,
    access: deps.access.access,
    settled: changes.settled,
    accepted: lanes.accept,
    limits: {
      peer: config.externalRateMax,
      key: config.externalKeyRateMax,
      keyAdministration: KEY_CALLS_PER_MINUTE,
      terminal: TERMINAL_CALLS_PER_MINUTE,
    },
  };
  const originRules = (): OriginRules => ({ port: deps.port(), backOfficeUrl: erp.url, allowedOrigins, allowedHosts });
  const app = createHttpApp({
    world,
    rendererDir: config.rendererDir,
    terminalDir: config.terminalDir,
    hostRules: () => ({ allowedHosts: config.allowedHosts, announcedHost: discovery.announcer.hostname() }),
    peerOf: peers.addressOf,
    health: deps.health,
    apis: [
      serveApi(externalApi, externalHandlers(deps), { ...apiDeps, gate: pluginGate(config.enabledPlugins) }),
      serveApi(keyAdministrationApi, keyAdministrationRoutes({ world, changes, keys, audit }), apiDeps),
      apiDocs(apiDocsFolder),
      pairingPage({ name: config.name, random: world.random, visit: discovery.networkReach.visit }),
      serveApi(operatorApi, deps.operatorHandlers, apiDeps),
      serveApi(terminalApi, terminalHandlers(deps), { ...apiDeps, gate: originGate(originRules) }),
      practiceGate(practice, originGate(originRules)),
    ],
  });
  return createPortServer({
    world,
    lanes,
    onRequest: app.callback(),
    isProxy: peers.isProxy,
    onUpgrade(request, socket, head) {
      const path = URL.parse(request.url ?? "", "ws://hub")?.pathname;
      if (!hasOneHost(request)) return "400 Bad Request";
      if (path !== "/" && !isPracticePath(path)) return "404 Not Found";
      if (!isAllowedOrigin(request.headers.origin, originRules())) return "403 Forbidden";
      return path === "/"
        ? deps.terminals.upgrade(request, socket, head)
        : upgradeToPractice(practice, peers.addressOf, { request, socket, head });
    },
  });
}

/** Builds the handlers for other systems. */
function externalHandlers(deps: HttpDeps): ExternalHandlers {
  const { config, worldOf, stores, pos, backOffice, orderCommands, background } = deps;
  const { changes, orders, tables, numbering } = stores;
  const { floorPlan, currentSession } = backOffice;
  const { rulebook, orderWriter } = orderCommands;
  const world = worldOf("orders");
  const creating = { world, pos, changes, orders, orderWriter, numbering, floorPlan, currentSession };
  const updating = { world, changes, rulebook, orders, orderWriter };
  const list = createOrderList({
    world,
    changes,
    orders,
    jobs: background.jobs,
    file: config.dbPath,
    onDamage: stores.watch.reportDamagedRow,
  });
  return {
    ...externalMenuRoutes({ world: worldOf("http"), pos: backOffice.pos, itemStates: stores.itemStates.list }),
    ...externalFloorRoutes({ world: worldOf("http"), tables, floorPlan, currentSession }),
    ...externalOrderRoutes({
      orders,
      list,
      create: (key, input) => createExternalOrder(creating, key, input),
      update: (key, posReference, input) => updateExternalOrder(updating, key, posReference, input),
    }),
    ...externalWebhookRoutes(background.webhooks.service),
    ...externalPluginRoutes(background.pluginService),
  };
}

/** Builds the handlers for what terminals request over HTTP. */
function terminalHandlers(deps: HttpDeps): TerminalHandlers {
  const { config, stores, backOffice, background, hubId } = deps;
  const { passwordSignIn } = deps.access;
  const { changes, orders, customers, recentTakings, people, terminalStore, itemStates } = stores;
  const { client, identities, pos, isLineDown } = backOffice;
  const world = deps.worldOf("http");
  return {
    hub: () => ({ hubId, name: config.name, version: hubVersion }),
    androidUpdate: async ({ query }) => ({ update: await backOffice.androidUpdates.newerThan(query.version) }),
    ...terminalPeopleRoutes({ world, identities, passwordSignIn, people, terminalStore }),
    ...terminalMenuRoutes({ world, pos, stations: deps.pos.stations, itemStates: itemStates.list }),
    ...terminalGuestRoutes({ world, pluginService: background.pluginService }),
    ...terminalLearnedRoutes({ learned: background.learned }),
    ...terminalOrderRoutes({
      world,
      changes,
      orders,
      client,
      identities,
      customers,
      recentTakings,
      refundService: background.refundService,
      notes: background.notes,
      people,
      terminalStore,
      isLineDown,
    }),
    ...terminalPrintingRoutes({ changes, printJobs: stores.printJobs, spool: stores.spool, people, terminalStore }),
    ...terminalDocumentRoutes({
      changes,
      requests: deps.documents.requests,
      spool: stores.spool,
      people,
      terminalStore,
    }),
    ...terminalPracticeRoutes(deps.practice),
  };
}
