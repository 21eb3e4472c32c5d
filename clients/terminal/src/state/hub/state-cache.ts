import type { KitchenTicket, OrderRemoval, Since, StoredOrder } from "@comanda/protocol";
import type { CacheRecord, OutboxStorage } from "../../outbox/queue/outbox-storage.ts";
import type { Reader, Schemas } from "../../schemas.ts";
import type { TerminalWorld } from "../../world.ts";
import type { HubState, SavedHubState } from "./hub-state.ts";
import type { StateChange } from "./state-change.ts";

/** How long changes are collected before a write, in ms. */
const COLLECT_MS = 1_000;
/** Records per write, so that a slow tablet does not freeze. */
const BATCH_SIZE = 50;
/** More orders and tickets than a long evening has. A larger state is not saved. */
const MAX_RECORDS = 5_000;

/** Origin of the copy. `asOf` is the hub's time (ISO 8601) up to which it is complete. */
interface CopyPlace {
  asOf: string;
  /** How far the hub's clock was ahead of the device's, in ms. */
  leadMs?: number;
  /** Address of that hub. */
  from?: string | undefined;
}

interface SavedPlace extends CopyPlace {
  since: Since;
}

/**
 * Saves the hub's state for a reload, delayed and in small parts, with the place in the hub's history last. Records written
 * before a crash are only newer than the saved place, and the hub sends them again.
 */
export function createStateCache(deps: {
  storage: OutboxStorage;
  hub: HubState;
  world: TerminalWorld;
  /** The place of the local copy, or null before there is one. */
  place: () => CopyPlace | null;
  trouble: (error: unknown) => void;
}) {
  const { storage, hub, world, place, trouble } = deps;
  const { removals, tables, itemStates, tills, pluginRecords } = hub;
  /** Lists that are saved as a whole, by key. */
  const lists = new Map(Object.entries({ removals, tables, itemStates, tills, pluginRecords }));
  const dirty = new Set<string>();
  let waiting: { seq: number; act: () => void }[] = [];
  let writing: Promise<void> | null = null;
  let cancelTimer = () => {};
  let isWaiting = false;
  let stopped = false;
  let isSaved = true;

  return {
    changed(change: StateChange): void {
      if (change.fork !== null) {
        dirty.add("-place");
        // Sequence numbers of the former history are meaningless in the new one.
        for (const each of waiting) each.seq = 0;
      }
      for (const posReference of change.orders) dirty.add(`order ${posReference}`);
      for (const id of change.tickets) dirty.add(`ticket ${id}`);
      if (change.removals) dirty.add("removals");
      if (change.tables.length > 0) dirty.add("tables");
      if (change.items) dirty.add("itemStates");
      if (change.tills) dirty.add("tills");
      if (change.plugins) dirty.add("pluginRecords");
      schedule();
    },
    /** Runs `act` once a reload would restore the state up to `seq`, or if this storage cannot save it. */
    whenSaved(seq: number, act: () => void): void {
      waiting.push({ seq, act });
      schedule();
    },
    /** Call after each contact with the hub: the copy is complete up to now. */
    noteContact: schedule,
    async stop(): Promise<void> {
      cancelTimer();
      stopped = true;
      await writing;
      await write();
    },
  };

  function schedule(): void {
    if (isWaiting || stopped) return;
    isWaiting = true;
    cancelTimer = world.timers.after(COLLECT_MS, () => {
      isWaiting = false;
      writing = (writing ?? Promise.resolve()).then(write);
    });
  }

  async function write(): Promise<void> {
    const since = hub.since();
    const at = place();
    if (since === undefined || at === null) return;
    const keys = [...dirty];
    dirty.clear();
    try {
      if (isTooLarge()) {
        if (isSaved) await storage.saveCache([["place", undefined]]);
        isSaved = false;
        return release(Infinity);
      }
      if (!isSaved) keys.splice(0, keys.length, ...allKeys());
      isSaved = true;
      const forked = keys.includes("-place");
      if (forked) await storage.saveCache([["place", undefined]]);
      for (let first = 0; first < keys.length; first += BATCH_SIZE) {
        const records = keys.slice(first, first + BATCH_SIZE).flatMap(readRecord);
        await storage.saveCache(records);
      }
      await storage.saveCache([["place", { since, ...at } satisfies SavedPlace]]);
      release(since.seq);
    } catch (error) {
      for (const key of keys) dirty.add(key);
      trouble(error);
      release(Infinity);
    }
  }

  function release(seq: number): void {
    const done = waiting.filter((each) => each.seq <= seq);
    waiting = waiting.filter((each) => each.seq > seq);
    for (const { act } of done) act();
  }

  function isTooLarge(): boolean {
    return [...hub.orders()].length + [...hub.tickets()].length > MAX_RECORDS;
  }

  function allKeys(): string[] {
    const orders = [...hub.orders()].map(({ posReference }) => `order ${posReference}`);
    const tickets = [...hub.tickets()].map(({ id }) => `ticket ${id}`);
    return [...orders, ...tickets, ...lists.keys()];
  }

  function readRecord(key: string): CacheRecord[] {
    if (key.startsWith("order ")) return [[key, hub.order(key.slice("order ".length))]];
    if (key.startsWith("ticket ")) return [[key, hub.ticket(key.slice("ticket ".length))]];
    const list = lists.get(key);
    return list === undefined ? [] : [[key, [...list()]]];
  }
}

/** Returns the saved state, or null if there is none. Throws if this version cannot read it. */
export function readSavedState(
  cache: ReadonlyMap<string, unknown>,
  schemas: Schemas,
): (SavedHubState & SavedPlace) | null {
  const place = cache.get("place") as SavedPlace | undefined;
  if (place === undefined) return null;
  const orders: StoredOrder[] = [];
  const tickets: KitchenTicket[] = [];
  for (const [key, value] of cache) {
    if (key.startsWith("order ")) orders.push(parsed(schemas.storedOrder, value));
    else if (key.startsWith("ticket ")) tickets.push(parsed(schemas.ticket, value));
  }
  // Finished tickets are dropped in the order of the list.
  tickets.sort((one, other) => (one.sentAt < other.sentAt ? -1 : 1));
  return {
    ...place,
    orders,
    tickets,
    removals: cache.get("removals") as OrderRemoval[] | undefined,
    tables: parsedList(schemas.table, cache.get("tables")),
    itemStates: parsedList(schemas.itemState, cache.get("itemStates")),
    tills: parsedList(schemas.till, cache.get("tills")),
    pluginRecords: parsedList(schemas.pluginRecord, cache.get("pluginRecords")),
  };
}

/** Throws for a value that cannot be read. */
function parsed<T>(schema: Reader<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (!read.success) throw new Error(`the saved state cannot be read: ${JSON.stringify(read.error.issues)}`);
  return read.data;
}

function parsedList<T>(schema: Reader<T>, value: unknown = []): T[] {
  return (value as unknown[]).map((each) => parsed(schema, each));
}
