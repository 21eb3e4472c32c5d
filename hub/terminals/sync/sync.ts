import { DAY_MS, type Lease, type PrintJobNews, type Since } from "@comanda/protocol";
import { readFormerEpochs } from "../../db/restore/former-epochs.ts";
import { openReadOnly } from "../../db/open-read-only.ts";
import type { Db } from "../../db/open.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";
import { createPlaceSigner } from "./sign-places.ts";
import {
  type ContentReader,
  createContentReader,
  emptyContent,
  type SyncContent,
  type SyncScope,
} from "./sync-content.ts";
import type { World } from "../../platform/world.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";

export type SyncBuilder = ReturnType<typeof createSyncBuilder>;
/** One moment of the shared state, from which any number of terminals are served. */
export type SyncCut = ReturnType<SyncBuilder["cut"]>;
/** What one terminal gets of a cut. */
export type SyncBuild = ReturnType<SyncCut["build"]>;

/** Small enough that even a weak line takes one long before it counts as not read. */
const PAGE_BYTES = 128 * 1024;
/** A full SYNC also has what was finished this recently: today's checks, to look at and to print again. */
const RECENT_MS = DAY_MS;

/** What was read is of use for so long to terminals that come back together. */
const KEPT_MS = 1000;

/** A delta of up to so many orders is never too much. */
const DELTA_ORDERS = 2_000;

/**
 * Builds SYNCs: each is one consistent cut of the durable shared state, full or since a place in it. A large one is read in
 * slices over turns of the event loop, over a connection of its own that sees the state of the cut to the end.
 */
export function createSyncBuilder(deps: {
  world: World;
  orders: OrderStore;
  leases: LeaseBook;
  /** What of a terminal's prints waits for a person. */
  printJobsOf(terminalId: string): PrintJobNews[];
  db: Db;
  /** Decides what has expired, ms since 1970. */
  time: { now(): number };
  watch: { reportDamagedRow(what?: string): void };
}) {
  const { world, db, orders, leases } = deps;
  const reading = { orders, now: deps.time.now, onDamage: deps.watch.reportDamagedRow };
  const reader = createContentReader(db, reading);
  const state = db.prepare<[], { hubId: string; epoch: string; seq: number; lowWater: number }>(
    `SELECT hub_id AS hubId, epoch, seq, low_water_seq AS lowWater FROM hub_state`,
  );
  const places = createPlaceSigner(db);
  let last: { key: string; content: SyncContent; at: number } | null = null;

  function readState() {
    const row = state.get();
    if (row === undefined) throw new Error("the data file has no hub state");
    return row;
  }

  /** A delta of months may hold thousands of orders that a full SYNC leaves out. */
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

  /** Opened in the moment of a cut, it sees that state until it is closed. */
  function openSnapshot(): { reader: ContentReader; close(): void } {
    const snapshot = openReadOnly(db.name);
    try {
      snapshot.exec("BEGIN");
      snapshot.prepare("SELECT seq FROM hub_state").get();
      return { reader: createContentReader(snapshot, reading), close: () => void snapshot.close() };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  return {
    identity: (): { hubId: string; epoch: string } => {
      const { hubId, epoch } = readState();
      return { hubId, epoch };
    },

    /** Whether this hub's history had an epoch before the present one. */
    isFormerEpoch: (epoch: string): boolean => readFormerEpochs(db).some((former) => former.epoch === epoch),

    /** The signature of a place in the present history. */
    sign(seq: number): string {
      const { hubId, epoch } = readState();
      return places.sign({ hubId, epoch, seq });
    },

    /**
     * What a terminal's place proves: a change that the data file does not hold, of the present epoch or of a former one, or
     * an epoch that the file does not know. Null where it proves nothing; what the hub has not signed never does.
     */
    proofIn(since: Since): "lost_present" | "lost_former" | "unknown_epoch" | null {
      const { hubId, epoch, seq } = readState();
      if (since.hubId !== hubId || !places.isSigned(since)) return null;
      if (since.epoch === epoch) return since.seq > seq ? "lost_present" : null;
      const end = readFormerEpochs(db).find((each) => each.epoch === since.epoch);
      if (end === undefined) return "unknown_epoch";
      return since.seq > end.seq ? "lost_former" : null;
    },

    /** Whether what a terminal at `since` lacks is too much to be read in one turn of the event loop. */
    isLarge: (since: Since | undefined): boolean => reader.isLarge(scopeOf(since, readState())),

    /** The present moment, in which every row has to be durable; to be closed when all that it was built for is sent. */
    cut() {
      const state = readState();
      const { hubId, epoch, seq } = state;
      const signature = places.sign({ hubId, epoch, seq });
      const inForce = leases.list();
      const contents = new Map<string, ContentPart>();
      const keyOf = (scope: SyncScope): string => `${scope.mode} ${scope.mode === "delta" ? scope.since : ""} ${seq}`;
      let snapshot: ReturnType<typeof openSnapshot> | null = null;

      /** Reads a slice: whether all is read then. Where one failed, there is no content for anybody. */
      function step(key: string, part: ContentPart): boolean {
        if (part.content !== null) return true;
        const { done, value } = part.steps.next();
        if (done !== true) return false;
        if (value === undefined) throw new Error("the shared state could not be read");
        part.content = value;
        last = { key, content: value, at: world.clock.monotonic() };
        return true;
      }

      /** Terminals that all come back at once ask for the same content, which is read once for all of them. */
      function contentOf(scope: SyncScope): ContentPart {
        const key = keyOf(scope);
        const known = contents.get(key);
        if (known !== undefined) return known;
        const isLarge = reader.isLarge(scope);
        const isFresh = last?.key === key && world.clock.monotonic() - last.at < KEPT_MS;
        if (isLarge && !isFresh) snapshot ??= openSnapshot();
        const part: ContentPart = {
          isLarge,
          content: isFresh ? (last?.content ?? null) : null,
          steps: (isLarge && snapshot !== null ? snapshot.reader : reader).read(scope),
        };
        contents.set(key, part);
        if (!isLarge) while (!step(key, part)) continue;
        return part;
      }

      return {
        /** What a terminal gets that stands at `since`, and the place in the shared state where that leaves it. */
        build(terminalId: string, since: Since | undefined, requestId?: string) {
          const scope = scopeOf(since, state);
          const { mode } = scope;
          const part = contentOf(scope);
          const echo = requestId === undefined ? {} : { requestId };
          const printJobs = deps.printJobsOf(terminalId);
          const head = { type: "SYNC", mode, seq, signature, hubId, epoch, ...echo };
          return {
            seq,
            isFull: mode === "full",
            /** It is to be read and sent a little at a time; a small one is read already. */
            isLarge: part.isLarge,
            /** Reads a slice: whether all is read then. */
            read: (): boolean => step(keyOf(scope), part),
            /** To be taken when all is read, one at a time. */
            pages: () => paginate(head, part.content ?? emptyContent(), { leases: inForce, printJobs }),
          };
        },
        close: (): void => snapshot?.close(),
      };
    },
  };
}

/** The content of a SYNC; null while it is read. */
interface ContentPart {
  isLarge: boolean;
  content: SyncContent | null;
  steps: Generator<number, SyncContent | undefined>;
}

const fields = [
  "orders",
  "removedOrders",
  "removals",
  "tables",
  "tickets",
  "recentTickets",
  "itemStates",
  "tills",
  "pluginRecords",
  "removedPluginRecords",
] as const;

function* paginate(
  head: object,
  content: SyncContent,
  first: { leases: Lease[]; printJobs: PrintJobNews[] },
): Generator<string> {
  const pages = splitUp(content);
  for (const [index, each] of pages.entries()) {
    const lists = fields.map((field): [string, string] => [field, `[${each[field].join(",")}]`]);
    const page = [
      ...lists,
      ["leases", JSON.stringify(index === 0 ? first.leases : [])],
      ...(index === 0 ? ([["printJobs", JSON.stringify(first.printJobs)]] as const) : []),
      ["more", String(index < pages.length - 1)],
    ] as const;
    yield page.reduce((json, [name, value]) => appendJsonField(json, name, value), JSON.stringify(head));
  }
}

function splitUp(content: SyncContent): SyncContent[] {
  const pages: SyncContent[] = [emptyContent()];
  let page = pages[0] ?? emptyContent();
  let bytes = 0;
  for (const field of fields) {
    for (const record of content[field]) {
      if (bytes > 0 && bytes + record.length > PAGE_BYTES) {
        page = emptyContent();
        pages.push(page);
        bytes = 0;
      }
      page[field].push(record);
      bytes += record.length;
    }
  }
  return pages;
}
