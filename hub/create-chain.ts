import type { LogLine, Overview } from "@comanda/protocol";
import { beatOf } from "./chain/beat.ts";
import { withoutGuests } from "./chain/without-guests.ts";
import { HubError } from "./platform/errors.ts";
import { createFactRecorder } from "./chain/record-facts.ts";
import { createFactStore } from "./chain/fact-store.ts";
import { createChainService } from "./chain/chain-service.ts";
import { createHubSource } from "./chain/hub-source.ts";
import { createLinkStore } from "./chain/link-store.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import type { DataFile } from "./db/open.ts";
import { notifyScreens } from "./changes/notify-screens.ts";
import { hubVersion } from "./platform/paths.ts";
import type { World } from "./platform/world.ts";
import type { HubConfig } from "./settings/config.ts";

export interface ViewsForHeadquarters {
  overview(): Overview;
  paidChecks(): number;
  /** Version, settings without secrets, and the health of the data file and its backups. */
  doctor(): Promise<unknown>;
  logs(): LogLine[];
}

/** Builds what connects the hub with its chain's headquarters. */
export function createChain(deps: {
  world: World;
  config: HubConfig;
  dataFile: DataFile;
  stores: Stores;
  backOffice: Pick<BackOffice, "pos">;
  hubId: string;
  /** What only the operator's views know; asked when headquarters are to be told. */
  views(): ViewsForHeadquarters;
}) {
  const { world, config, dataFile, stores, views } = deps;
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
    changes,
    time,
    recorder: createFactRecorder({ db, facts, tills: stores.tills }),
    hub: { hubId: deps.hubId, hubName: config.name, version: hubVersion },
    sharesCustomers: config.chainSharesCustomers,
    allowsDiagnosis: config.chainDiagnosis,
    beat: () =>
      beatOf(views().overview(), {
        seq: source.newestSeq(),
        paidChecks: views().paidChecks(),
        clockOffMs: Math.round(world.clock.now() - time.now()),
      }),
    answers: {
      overview: () => views().overview(),
      doctor: () => views().doctor(),
      logs: () => views().logs(),
      check(posReference) {
        const order = orders.shown(posReference);
        if (order === null) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
        return withoutGuests(order, config.chainSharesCustomers);
      },
      history: (posReference) =>
        orders
          .history(posReference)
          .map((version) => ({ ...version, order: withoutGuests(version.order, config.chainSharesCustomers) })),
    },
    noteQuestion: (by, what, posReference) =>
      changes.write((tx) =>
        stores.audit.record(tx, by, "chain.question", posReference === null ? what : `${what} ${posReference}`),
      ),
    note(tx, userName, action, target) {
      stores.audit.record(tx, userName, action, target);
      tx.notify(["chain"]);
    },
    historyDays: config.chainHistoryDays,
    kbps: config.chainKbps,
    onState: () => notifyScreens(changes, world, { topics: ["chain"] }),
  });
}
