import type { BackOfficeFloor, Station } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Memory, Remembered } from "../db/remembered.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeClient } from "./client.ts";
import type { OwnSession } from "./own-session.ts";
import { createPosRecord, type PosPart } from "./pos-record.ts";

/** An unchanged state is saved this often, to store the time of the last read. */
const SAVE_EVERY_MS = 10 * 60_000;

export type PosState = ReturnType<typeof createPosState>;

/** Reads the state of the point of sale from the back-office. The last state outlives a restart. */
export function createPosState(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  client: BackOfficeClient;
  own: OwnSession;
  /** The kitchen's stations, which terminals get with the menu. */
  stations(): readonly Station[];
}) {
  const { world, client, own } = deps;
  const { take, write, writeTime, floors, ...record } = createPosRecord(deps.memory, deps.stations);
  let readAt: number | null = null;
  let savedAt = -Infinity;
  const readTime = createReadTime(floors()?.at, storeTime);
  let isStale = floors() !== null;
  let reading: Promise<void> | null = null;
  let nextReading: Promise<void> | null = null;
  /** The table ids of the floor plan `of`. */
  let tables: { of: BackOfficeFloor[]; ids: ReadonlySet<number> } | null = null;
  let lastLeftOut = "[]";
  /** Changed parts that are not yet saved and announced. */
  const changed = new Set<PosPart>();

  /** Saves and announces the state. If this fails (a full disk), the state is used anyway, and the next read retries. */
  async function save(now: number): Promise<void> {
    const isSaved = await writeOrLog(deps, "the state of the point of sale could not be stored", (tx) => {
      write(now);
      const session = record.session();
      if (changed.has("session") && session !== null) tx.emit({ kind: "session.changed", session });
      if (changed.has("plan")) tx.notify(["floor_plan", "catalogue"]);
      if (changed.has("numbers")) tx.notify(["fiscal"]);
      if (changed.has("menu")) tx.emit({ kind: "menu.changed", menuVersion: record.menuVersion() ?? "" });
    });
    if (!isSaved) return;
    readTime.noteSaved(now);
    savedAt = world.clock.monotonic();
    changed.clear();
  }

  function storeTime(at: number): Promise<boolean> {
    return writeOrLog(deps, "the time of reading could not be stored", () => writeTime(at));
  }

  /** Logs why products are missing or sold without a tax. Only logs changes, because bootstrap is read all day. */
  function noteLeftOut(records: string[]): void {
    const leftOut = JSON.stringify(records);
    if (leftOut === lastLeftOut) return;
    lastLeftOut = leftOut;
    if (records.length === 0) return world.log.info("all records of bootstrap can be read again, and are whole");
    world.log.warn(
      { count: records.length, records: records.slice(0, 20) },
      "records of bootstrap that cannot be read, or are not whole",
    );
  }

  async function read(): Promise<void> {
    try {
      const { leftOut, ...answer } = await own.use((token) => client.bootstrap(token));
      noteLeftOut(leftOut);
      const now = world.clock.now();
      for (const each of take(answer, now)) changed.add(each);
      readAt = world.clock.monotonic();
      isStale = false;
      // Also saved if unchanged: terminals see the time of the last read, even after a restart.
      if (changed.size > 0 || readAt - savedAt >= SAVE_EVERY_MS) await save(now);
    } catch (error) {
      isStale = floors() !== null;
      throw error;
    }
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    ...record,
    /** Reads the state from the back-office. Concurrent callers share one read. Throws a BackOfficeError. */
    refresh,
    /** Reads the state like `refresh`, but starts after the call. At most one read is running and one is waiting. */
    refreshFromNow(): Promise<void> {
      if (reading === null) return refresh();
      nextReading ??= reading
        .catch(() => undefined)
        .then(() => {
          nextReading = null;
          return refresh();
        });
      return nextReading;
    },
    /** Milliseconds since the last successful read of this run; Infinity if there was none. */
    ageMs: (): number => (readAt === null ? Infinity : world.clock.monotonic() - readAt),
    /** Returns the floors that were last read, and whether the latest read failed; null if never read. */
    floors(): (Remembered<BackOfficeFloor[]> & { isStale: boolean }) | null {
      const stored = floors();
      return stored === null ? null : { ...stored, isStale };
    },
    /** Stores the time of the last read before it is shown, so that it is known after a restart. */
    keepTime: (): Promise<void> => readTime.keep(floors()?.at),
    /** Returns the ids of all tables; null if there are none, or if the latest attempt to read them failed. */
    tableIds(): ReadonlySet<number> | null {
      const stored = floors();
      if (stored === null || isStale) return null;
      const { value } = stored;
      if (tables?.of !== value)
        tables = { of: value, ids: new Set(value.flatMap((floor) => floor.tables.map(({ id }) => id))) };
      return tables.ids.size === 0 ? null : tables.ids;
    },
  };
}

/** Stores each time of a read once, before it is shown. `store` returns whether it succeeded. */
function createReadTime(stored: number | undefined, store: (at: number) => Promise<boolean>) {
  let saved = stored;
  let storing = Promise.resolve();

  return {
    /** Notes that the time was stored together with the state. */
    noteSaved(at: number): void {
      saved = at;
    },
    /** Resolves when the time is stored or storing has failed; in that case the next call retries. */
    keep(at: number | undefined): Promise<void> {
      if (at !== undefined && at !== saved) {
        saved = at;
        storing = store(at).then((isStored) => {
          if (!isStored && saved === at) saved = undefined;
        });
      }
      return storing;
    },
  };
}
