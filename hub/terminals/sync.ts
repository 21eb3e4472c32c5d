import { DAY_MS, type Lease, type Since } from "@comanda/protocol";
import { readFormerEpochs } from "../db/former-epochs.ts";
import type { Db } from "../db/open.ts";
import { mergedIntoOf } from "../orders/remove-order.ts";
import type { OrderDeps } from "../orders/order-deps.ts";
import { appendJsonField } from "../platform/append-json-field.ts";
import { isoTime } from "../platform/world.ts";
import type { PluginStore } from "../plugins/plugin-store.ts";
import { createPlaceSigner } from "./sign-places.ts";

export type SyncBuilder = ReturnType<typeof createSyncBuilder>;

/** Small enough that even a weak line takes one long before it counts as not read. */
const PAGE_BYTES = 128 * 1024;
/** A full SYNC also has what was finished this recently: today's checks, to look at and to print again. */
const RECENT_MS = DAY_MS;

/** A delta of up to so many orders is never too much. */
const DELTA_ORDERS = 2_000;

/** Builds the pages of a SYNC: one consistent cut of the durable shared state, full or since a place in it. */
export function createSyncBuilder(
  deps: Pick<OrderDeps, "world" | "orders" | "tables" | "leases" | "tickets" | "itemStates"> & {
    db: Db;
    plugins: PluginStore;
  },
) {
  const { world, db, orders, tables, plugins, leases, tickets, itemStates } = deps;
  const state = db.prepare<[], { hubId: string; epoch: string; seq: number; lowWater: number }>(
    `SELECT hub_id AS hubId, epoch, seq, low_water_seq AS lowWater FROM hub_state`,
  );
  const places = createPlaceSigner(db);
  let last: { key: string; content: Content; at: number } | null = null;

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

  function removed(sinceSeq: number): Pick<Content, "removedOrders" | "removals"> {
    const rows = orders.removedSince(sinceSeq);
    return {
      removedOrders: rows.map(({ posReference }) => JSON.stringify(posReference)),
      removals: rows.map(({ posReference, version, reason, removedAt }) => {
        const mergedInto = mergedIntoOf(reason);
        const at = isoTime(removedAt);
        return JSON.stringify({ posReference, version, ...(mergedInto !== null && { mergedInto }), at });
      }),
    };
  }

  /** Terminals that all come back at once ask for the same content, which is read once for all of them. */
  function content(mode: "full" | "delta", sinceSeq: number, seq: number): Content {
    const key = `${mode} ${sinceSeq} ${seq}`;
    const now = world.clock.monotonic();
    if (last?.key === key && now - last.at < 1000) return last.content;
    const wallNow = world.clock.now();
    const fresh: Content =
      mode === "full"
        ? {
            orders: orders.wireCurrent(wallNow - RECENT_MS),
            removedOrders: [],
            removals: [],
            tables: tables.list(wallNow).map((table) => JSON.stringify(table)),
            tickets: tickets.open().map((ticket) => JSON.stringify(ticket)),
            itemStates: itemStates.wireScarce(),
            pluginRecords: plugins.live().map((record) => JSON.stringify(record)),
            removedPluginRecords: [],
          }
        : {
            orders: orders.wireSince(sinceSeq),
            ...removed(sinceSeq),
            tables: tables.since(sinceSeq, wallNow).map((table) => JSON.stringify(table)),
            tickets: tickets.changedSince(sinceSeq).map((ticket) => JSON.stringify(ticket)),
            itemStates: itemStates.wireSince(sinceSeq),
            ...plugins.wireSince(sinceSeq),
          };
    last = { key, content: fresh, at: now };
    return fresh;
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

    /** The pages for a terminal that stands at `since`, and the place in the shared state where they leave it. */
    build(since: Since | undefined, requestId?: string): { seq: number; pages: string[] } {
      const { hubId, epoch, seq, lowWater } = readState();
      const isCovered =
        since !== undefined &&
        since.hubId === hubId &&
        since.epoch === epoch &&
        since.seq <= seq &&
        since.seq >= lowWater &&
        isDeltaShorter(since.seq);
      const mode = isCovered ? "delta" : "full";
      const signature = places.sign({ hubId, epoch, seq });
      const head = { type: "SYNC", mode, seq, signature, hubId, epoch, ...(requestId !== undefined && { requestId }) };
      return { seq, pages: paginate(head, content(mode, isCovered ? since.seq : 0, seq), leases.list()) };
    },
  };
}

/** Serialized records, by the field of SYNC that carries them. */
interface Content {
  orders: string[];
  removedOrders: string[];
  removals: string[];
  tables: string[];
  tickets: string[];
  itemStates: string[];
  pluginRecords: string[];
  removedPluginRecords: string[];
}

const fields = [
  "orders",
  "removedOrders",
  "removals",
  "tables",
  "tickets",
  "itemStates",
  "pluginRecords",
  "removedPluginRecords",
] as const;

function paginate(head: object, content: Content, leases: Lease[]): string[] {
  const pages: Content[] = [emptyPage()];
  let page = pages[0] ?? emptyPage();
  let bytes = 0;
  for (const field of fields) {
    for (const record of content[field]) {
      if (bytes > 0 && bytes + record.length > PAGE_BYTES) {
        page = emptyPage();
        pages.push(page);
        bytes = 0;
      }
      page[field].push(record);
      bytes += record.length;
    }
  }
  return pages.map((each, index) => {
    const lists = fields.map((field): [string, string] => [field, `[${each[field].join(",")}]`]);
    const page = [
      ...lists,
      ["leases", JSON.stringify(index === 0 ? leases : [])],
      ["more", String(index < pages.length - 1)],
    ] as const;
    return page.reduce((json, [name, value]) => appendJsonField(json, name, value), JSON.stringify(head));
  });
}

function emptyPage(): Content {
  return {
    orders: [],
    removedOrders: [],
    removals: [],
    tables: [],
    tickets: [],
    itemStates: [],
    pluginRecords: [],
    removedPluginRecords: [],
  };
}
