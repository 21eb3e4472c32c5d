import { createBackOffice, type BackOffice } from "./create-back-office.ts";
import { createBackground } from "./create-background.ts";
import { createDocuments } from "./create-documents.ts";
import { createLostTail } from "./create-lost-tail.ts";
import { createOrderCommands } from "./create-order-commands.ts";
import { createStores } from "../stores/create-stores.ts";
import type { DataFile } from "../db/open.ts";
import { createCreditChecks } from "../fiscal/credit-checks.ts";
import type { LiveValues } from "./live-values.ts";
import type { PointOfSale } from "../orders/point-of-sale.ts";
import type { World } from "../platform/world.ts";
import { createDamageSettler } from "./settle-damaged.ts";
import type { HubConfig } from "../settings/config.ts";
import { createSyncBuilder } from "../terminals/sync/sync.ts";
import type { HubClock } from "../time/hub-clock.ts";

export type Core = ReturnType<typeof createCore>;

/** Builds what does not depend on connected clients: stores, back-office, orders, documents and background work. */
export function createCore(deps: {
  config: HubConfig;
  world: World;
  worldOf: (component: string) => World;
  dataFile: DataFile;
  hubClock: HubClock;
  arePinsOpen: boolean;
  live: LiveValues;
  /** The port that the hub listens on. */
  port(): number;
  isConnected(terminalId: string): boolean;
}) {
  const { config, world, worldOf, dataFile, hubClock, arePinsOpen, live, port, isConnected } = deps;
  const { db } = dataFile;
  const stores = createStores(config, worldOf, dataFile, { arePinsOpen, hubClock });
  const { changes, time, leases, orders, watch, mutations, paymentIdentities, fiscalRequests } = stores;
  const backOffice = createBackOffice(config, worldOf, db, stores, live.stations);
  const { client, own } = backOffice;
  const pos = pointOfSale(config, backOffice, live);
  const askCredit = createCreditChecks({ client, own, mutations, paymentIdentities, pos });
  const orderCommands = createOrderCommands({ world: worldOf("orders"), pos, stores, config, askCredit });
  const documents = createDocuments({ config, worldOf, stores, pos, orderCommands });
  const sync = createSyncBuilder({
    world,
    db,
    time,
    orders,
    leases,
    watch,
    printJobsOf: stores.spool.listOpenByTerminal,
  });
  const lostTail = createLostTail({ world: worldOf("db"), db, watch, changes, sync });
  const settleDamage = createDamageSettler({ world: worldOf("db"), db, watch, changes, orders, fiscalRequests });
  const background = createBackground({
    config,
    worldOf,
    dataFile,
    stores,
    backOffice,
    orderCommands,
    sync,
    port,
    isConnected,
    settleDamage,
    isContingency: live.isContingency,
  });
  return { stores, backOffice, pos, orderCommands, documents, sync, lostTail, settleDamage, background };
}

function pointOfSale(config: HubConfig, { pos }: BackOffice, live: LiveValues): PointOfSale {
  return {
    session: pos.session,
    config: () => pos.config()?.value ?? null,
    formerRate: pos.formerRate,
    formerCash: pos.formerCash,
    tables: pos.tableIds,
    stations: live.stations,
    takeBackMs: config.takeBackMs,
    isContingency: live.isContingency,
  };
}
