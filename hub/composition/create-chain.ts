import { beatOf } from "../chain/connection/beat.ts";
import { isSameButGuests, withoutGuests } from "../chain/source/without-guests.ts";
import { requireFound } from "../platform/errors.ts";
import { createFactRecorder } from "../chain/source/record-facts.ts";
import { createFactStore } from "../chain/source/fact-store.ts";
import { createChainService } from "../chain/chain-service.ts";
import { createHubSource } from "../chain/source/hub-source.ts";
import { pricingOf } from "../chain/source/pricing-of.ts";
import { createLinkStore } from "../chain/connection/link-store.ts";
import { settingsTarget, stockTarget } from "../chain/proposals/proposal-targets.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Core } from "./create-core.ts";
import type { Stores } from "../stores/create-stores.ts";
import type { DataFile } from "../db/open.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { setItemState } from "../operator/set-item-state.ts";
import { hubVersion } from "../platform/paths.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { ViewsForHeadquarters } from "./views-for-headquarters.ts";

/** Builds what connects the hub with its chain's headquarters. */
export function createChain(deps: {
  world: World;
  config: HubConfig;
  dataFile: DataFile;
  stores: Stores;
  backOffice: Pick<BackOffice, "pos">;
  background: Pick<Core["background"], "offers">;
  hubId: string;
  /** Operator views that headquarters need, read on demand. */
  views(): ViewsForHeadquarters;
}) {
  const { world, config, dataFile, stores, views } = deps;
  const { db, cipher } = dataFile;
  const { changes, orders, tables, versionPeople, time, watch, itemStates, audit } = stores;
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
      const { pos } = deps.backOffice;
      const menuVersion = pos.menuVersion();
      const menu = pos.config()?.value;
      return {
        clock: { isTrusted: time.isConfirmed(), zone: config.timeZone },
        hub: { version: hubVersion, ...(menuVersion !== null && { menuVersion }) },
        ...(menu !== undefined && { pricing: pricingOf(menu) }),
      };
    },
  });
  return createChainService({
    world,
    source,
    links: createLinkStore(db, cipher, stores.memory),
    proposalStore: stores.proposals,
    facts,
    targets: () => ({
      stock: stockTarget({
        products: deps.backOffice.pos.config()?.value.products ?? null,
        stockOf: itemStates.stockOf,
        now: world.clock.now(),
        set: (tx, request, by) => setItemState(stores, tx, request, by),
      }),
      settings: settingsTarget(views().settings),
    }),
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
        clockOffMs: time.clockAheadMs(),
      }),
    answers: {
      overview: () => views().overview(),
      doctor: () => views().doctor(),
      logs: () => views().logs(),
      check(posReference) {
        const order = requireFound(orders.shown(posReference), `there is no order ${posReference}`);
        return withoutGuests(order, config.chainSharesCustomers);
      },
      history: (posReference) =>
        orders
          .listVersions(posReference)
          .map((version) => ({ ...version, order: withoutGuests(version.order, config.chainSharesCustomers) })),
    },
    offers: {
      areAccepted() {
        const { own, others } = deps.background.offers.areAccepted();
        return own || others;
      },
      async keep(hubId, checks) {
        const missing = checks.filter((check) => {
          const own = "snapshot" in check ? orders.versionBody(check.posReference, check.version) : null;
          return own === null || !isSameButGuests(own, check);
        });
        const former = { hubId, epoch: null };
        return (await deps.background.offers.keep("headquarters", former, missing)).waiting === undefined;
      },
    },
    noteQuestion: (by, what, posReference) =>
      changes.write((tx) =>
        audit.record(tx, by, "chain.question", posReference === null ? what : `${what} ${posReference}`),
      ),
    note(tx, userName, action, target) {
      audit.record(tx, userName, action, target);
      tx.notify(["chain"]);
    },
    // What the hub itself removes must not count as lost.
    historyDays: Math.min(config.chainHistoryDays, config.retention.retentionDays),
    kbps: config.chainKbps,
    onState: () => notifyScreens(changes, world, { topics: ["chain"] }),
  });
}
