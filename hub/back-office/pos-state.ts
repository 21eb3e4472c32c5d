import type { BackOfficeFloor, Station } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Memory, Remembered } from "../db/remembered.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeClient } from "./client.ts";
import type { OwnSession } from "./own-session.ts";
import { createPosRecord, type PosNews } from "./pos-record.ts";

/** What has not changed is saved this often, for the time at which it was read. */
const SAVE_EVERY_MS = 10 * 60_000;

export type PosState = ReturnType<typeof createPosState>;

/** The state of the point of sale as last read from the back-office; it outlives a restart. */
export function createPosState(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  client: BackOfficeClient;
  own: OwnSession;
  /** The kitchen's stations, which terminals get with the menu. */
  stations(): readonly Station[];
}) {
  const { world, changes, client, own } = deps;
  const { take, write, writeTime, floors, ...record } = createPosRecord(deps.memory, deps.stations);
  let readAt: number | null = null;
  let savedAt = -Infinity;
  const keptTime = createKeptTime(floors()?.at, storeTime);
  let isStale = floors() !== null;
  let reading: Promise<void> | null = null;
  let nextReading: Promise<void> | null = null;
  /** Of the plan that it was made from. */
  let tables: { of: BackOfficeFloor[]; ids: ReadonlySet<number> } | null = null;
  let knownLeftOut = "[]";
  /** What has changed and was not saved and announced yet. */
  const news = new Set<PosNews>();

  /** What was read counts even when it cannot be stored: a full disk must not hide the floor plan. The next read tries again. */
  async function save(now: number): Promise<void> {
    try {
      await changes.write((tx) => {
        write(now);
        const session = record.session();
        if (news.has("session") && session !== null) tx.emit({ kind: "session.changed", session });
        if (news.has("plan")) tx.notify(["floor_plan", "catalogue"]);
        if (news.has("numbers")) tx.notify(["fiscal"]);
        if (news.has("menu")) tx.emit({ kind: "menu.changed", menuVersion: record.menuVersion() ?? "" });
      });
      keptTime.isKept(now);
      savedAt = world.clock.monotonic();
      news.clear();
    } catch (error) {
      world.log.error({ err: error }, "the state of the point of sale could not be stored");
    }
  }

  async function storeTime(at: number): Promise<boolean> {
    try {
      await changes.write(() => writeTime(at));
      return true;
    } catch (error) {
      world.log.warn({ err: error }, "the time of reading could not be stored");
      return false;
    }
  }

  /** Why a dish is missed, or sold without a tax; once, for bootstrap is read all day. */
  function noteLeftOut(records: string[]): void {
    const leftOut = JSON.stringify(records);
    if (leftOut === knownLeftOut) return;
    knownLeftOut = leftOut;
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
      for (const each of take(answer, now)) news.add(each);
      readAt = world.clock.monotonic();
      isStale = false;
      // Terminals see as of when this was read, after a restart, too.
      if (news.size > 0 || readAt - savedAt >= SAVE_EVERY_MS) await save(now);
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
    /** Reads from the back-office; any number of callers share one read. Throws a BackOfficeError. */
    refresh,
    /** As `refresh`, but with a read that begins after the call: at most one under way and one to come. */
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
    /** Milliseconds since the last successful read of this run; Infinity when there was none. */
    ageMs: (): number => (readAt === null ? Infinity : world.clock.monotonic() - readAt),
    /** The floors as last read, and whether the last attempt to read them failed. */
    floors(): (Remembered<BackOfficeFloor[]> & { isStale: boolean }) | null {
      const known = floors();
      return known === null ? null : { ...known, isStale };
    },
    /** Stores the time of the last read, which is about to be shown: after a restart it is told again. */
    keepTime: (): Promise<void> => keptTime.keep(floors()?.at),
    /** The tables of the floors; null where there are none, and while the last attempt to read them failed. */
    tableIds(): ReadonlySet<number> | null {
      const known = floors();
      if (known === null || isStale) return null;
      const { value } = known;
      if (tables?.of !== value)
        tables = { of: value, ids: new Set(value.flatMap((floor) => floor.tables.map(({ id }) => id))) };
      return tables.ids.size === 0 ? null : tables.ids;
    },
  };
}

/** The time of the last read, which is stored once, when somebody is about to see it; `store` answers whether it worked. */
function createKeptTime(stored: number | undefined, store: (at: number) => Promise<boolean>) {
  let kept = stored;
  let storing = Promise.resolve();

  return {
    /** It was stored with all that was read. */
    isKept(at: number): void {
      kept = at;
    },
    /** Resolves when it is stored, or could not be: then the next call tries again. */
    keep(at: number | undefined): Promise<void> {
      if (at !== undefined && at !== kept) {
        kept = at;
        storing = store(at).then((worked) => {
          if (!worked && kept === at) kept = undefined;
        });
      }
      return storing;
    },
  };
}
