import { DAY_MS, type PrintJobNews, type Since } from "@comanda/protocol";
import { readFormerEpochs } from "../../db/restore/former-epochs.ts";
import type { Db } from "../../db/open.ts";
import { createPlaceSigner } from "./sign-places.ts";
import type { SyncScope } from "./sync-content.ts";
import { paginate } from "./sync-pages.ts";
import { createSyncReading } from "./sync-reading.ts";
import type { World } from "../../platform/world.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";

export type SyncBuilder = ReturnType<typeof createSyncBuilder>;
/** One moment of the shared state, from which any number of SYNCs are built. */
export type SyncCut = ReturnType<SyncBuilder["cut"]>;
/** The SYNC for one terminal. */
export type SyncBuild = ReturnType<SyncCut["build"]>;

/** A full SYNC includes what was finished this recently: today's checks, to view and reprint. */
const RECENT_MS = DAY_MS;

/** A delta of up to this many orders is always sent as a delta. */
const DELTA_ORDERS = 2_000;

/**
 * Builds SYNCs. Each is a consistent cut of the durable shared state, full or since a place in it. A large SYNC is read in
 * slices over several event-loop turns, through its own connection that sees the state of the cut to the end.
 */
export function createSyncBuilder(deps: {
  world: World;
  orders: OrderStore;
  leases: LeaseBook;
  /** A terminal's print jobs that wait for a person. */
  printJobsOf(terminalId: string): PrintJobNews[];
  db: Db;
  /** Decides what has expired, ms since 1970. */
  time: { now(): number };
  watch: { reportDamagedRow(description?: string): void };
}) {
  const { world, db, orders, leases } = deps;
  const reading = createSyncReading(world, db, {
    orders,
    now: deps.time.now,
    onDamage: deps.watch.reportDamagedRow,
  });
  const state = db.prepare<[], { hubId: string; epoch: string; seq: number; lowWater: number }>(
    `SELECT hub_id AS hubId, epoch, seq, low_water_seq AS lowWater FROM hub_state`,
  );
  const places = createPlaceSigner(db);

  function readState() {
    const row = state.get();
    if (row === undefined) throw new Error("the data file has no hub state");
    return row;
  }

  /** Whether a delta is smaller than a full SYNC. One over months may hold thousands of orders that a full SYNC omits. */
  function isDeltaShorter(sinceSeq: number): boolean {
    if (!orders.hasChangedMore(sinceSeq, DELTA_ORDERS)) return true;
    return !orders.hasChangedMore(sinceSeq, orders.countCurrent(world.clock.now() - RECENT_MS));
  }

  function scopeOf(since: Since | undefined, { hubId, epoch, seq, lowWater }: ReturnType<typeof readState>): SyncScope {
    const isCovered =
      since !== undefined &&
      since.hubId === hubId &&
      since.epoch === epoch &&
      since.seq <= seq &&
      since.seq >= lowWater &&
      isDeltaShorter(since.seq);
    if (isCovered) return { mode: "delta", since: since.seq };
    return { mode: "full", updatedSince: world.clock.now() - RECENT_MS };
  }

  return {
    identity: (): { hubId: string; epoch: string } => {
      const { hubId, epoch } = readState();
      return { hubId, epoch };
    },

    /** Whether this hub's history had an epoch before the current one. */
    isFormerEpoch: (epoch: string): boolean => readFormerEpochs(db).some((former) => former.epoch === epoch),

    /** The signature of a place in the current history. */
    sign(seq: number): string {
      const { hubId, epoch } = readState();
      return places.sign({ hubId, epoch, seq });
    },

    /**
     * Returns what a terminal's place proves: a change that the data file lacks, in the current or a former epoch, or an epoch
     * that the file does not know. Null if it proves nothing, and always if the hub has not signed the place.
     */
    proofIn(since: Since): "lost_present" | "lost_former" | "unknown_epoch" | null {
      const { hubId, epoch, seq } = readState();
      if (since.hubId !== hubId || !places.isSigned(since)) return null;
      if (since.epoch === epoch) return since.seq > seq ? "lost_present" : null;
      const end = readFormerEpochs(db).find((each) => each.epoch === since.epoch);
      if (end === undefined) return "unknown_epoch";
      return since.seq > end.seq ? "lost_former" : null;
    },

    /** Whether the changes after `since` are too many to read in one event-loop turn. */
    isLarge: (since: Since | undefined): boolean => reading.isLarge(scopeOf(since, readState())),

    /** Takes a cut; every row must be durable by then. Close it when all its SYNCs are sent. */
    cut() {
      const state = readState();
      const { hubId, epoch, seq } = state;
      const signature = places.sign({ hubId, epoch, seq });
      const inForce = leases.list();
      const { contentOf, close } = reading.begin(seq);
      return {
        /** Builds the SYNC for a terminal at `since`; `seq` is the place that it leads to. */
        build(terminalId: string, since: Since | undefined, requestId?: string) {
          const scope = scopeOf(since, state);
          const { mode } = scope;
          const { isLarge, read, content } = contentOf(scope);
          const echo = requestId === undefined ? {} : { requestId };
          const printJobs = deps.printJobsOf(terminalId);
          const head = { type: "SYNC", mode, seq, signature, hubId, epoch, ...echo };
          return {
            seq,
            isFull: mode === "full",
            isLarge,
            read,
            /** Returns the pages, lazily. Called when all is read. */
            pages: () => paginate(head, content(), { leases: inForce, printJobs }),
          };
        },
        close,
      };
    },
  };
}
