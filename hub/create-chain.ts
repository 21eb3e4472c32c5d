import { createFactStore } from "./chain/fact-store.ts";
import { createChainService } from "./chain/chain-service.ts";
import { createHubSource } from "./chain/hub-source.ts";
import { createLinkStore } from "./chain/link-store.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import type { DataFile } from "./db/open.ts";
import { hubVersion } from "./platform/paths.ts";
import type { World } from "./platform/world.ts";
import type { HubConfig } from "./settings/config.ts";

/** Builds what connects the hub with its chain's headquarters. */
export function createChain(deps: {
  world: World;
  config: HubConfig;
  dataFile: DataFile;
  stores: Stores;
  backOffice: Pick<BackOffice, "pos">;
}) {
  const { world, config, dataFile, stores } = deps;
  const { db, cipher } = dataFile;
  const { changes, orders, tables, versionPeople, time, watch } = stores;
  const facts = createFactStore(db);
  const source = createHubSource({
    world,
    db,
    changes,
    orders,
    tables,
    versionPeople,
    facts,
    sharesGuests: config.chainSharesCustomers,
    onDamage: watch.reportDamagedRow,
    envelope() {
      const menuVersion = deps.backOffice.pos.menuVersion();
      return {
        clock: { isTrusted: time.isConfirmed(), zone: config.timeZone },
        hub: { version: hubVersion, ...(menuVersion !== null && { menuVersion }) },
      };
    },
  });
  return createChainService({
    world,
    source,
    links: createLinkStore(db, cipher),
    historyDays: config.chainHistoryDays,
    kbps: config.chainKbps,
    onState: () => undefined,
  });
}
