import { HUB_ORIGIN, terminalLimits, type TableLock, type TableStatus } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import { isInForce, type TableStore } from "./table-store.ts";

export type TableRules = ReturnType<typeof createTableRules>;

const DEFAULT_LOCK_MS = 60_000;
/** How long a sweep that could not be stored waits for its next attempt. */
const FAILED_WAIT_MS = 5_000;

/** Advisory locks and reservations of tables. */
export function createTableRules(deps: { world: World; changes: ChangeLog; tables: TableStore }) {
  const { world, changes, tables } = deps;
  let sweepTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Announces the end of the lock that ends next. */
  function scheduleSweep(leastMs = 50): void {
    world.timers.clearTimeout(sweepTimer);
    const ends = tables.locked().map(({ lock }) => Date.parse(lock.expiresAt));
    if (stopped || ends.length === 0) return;
    const waitMs = Math.min(60_000, Math.max(leastMs, Math.min(...ends) - world.clock.now()));
    sweepTimer = world.timers.setTimeout(() => void sweep(), waitMs);
  }

  async function sweep(): Promise<void> {
    try {
      await changes.write((tx) => {
        for (const { tableId, lock } of tables.locked()) {
          if (!isInForce(lock, tx.now)) tx.emit(tables.save(tx, tableId, HUB_ORIGIN, { lock: null }));
        }
      });
    } catch (error) {
      world.log.error({ err: error }, "ended table locks could not be removed");
      scheduleSweep(FAILED_WAIT_MS);
      return;
    }
    scheduleSweep();
  }

  async function setReserved(tableId: number, origin: string, isReserved: boolean): Promise<TableStatus> {
    return changes.write((tx): TableStatus => {
      const status = tables.get(tableId, tx.now)?.status ?? "available";
      if (status === "occupied")
        throw new HubError("TABLE_OCCUPIED", `table ${tableId} is occupied`, existing(tableId));
      const wanted: TableStatus = isReserved ? "reserved" : "available";
      if (status !== wanted) tx.emit(tables.save(tx, tableId, origin, { status: wanted }));
      return wanted;
    });
  }

  /** Refuses one lock more than a terminal may hold. */
  function requireFewLocks(terminalId: string, now: number): void {
    const own = tables.locked().filter(({ lock }) => lock.terminalId === terminalId && isInForce(lock, now));
    if (own.length < terminalLimits.locksPerTerminal) return;
    throw new HubError("LIMIT_REACHED", `a terminal locks at most ${terminalLimits.locksPerTerminal} tables`);
  }

  function existing(tableId: number) {
    return { existing: { posReference: tables.get(tableId, world.clock.now())?.posReference ?? "" } };
  }

  return {
    start: (): void => scheduleSweep(),
    stop(): void {
      stopped = true;
      world.timers.clearTimeout(sweepTimer);
    },

    /** Locks a table for a terminal, or renews its lock; returns the lock in force and whether it is the terminal's. */
    async lock(
      tableId: number,
      by: { terminalId: string; userName: string },
      ttlMs = DEFAULT_LOCK_MS,
    ): Promise<{ locked: boolean; lock: TableLock }> {
      const answer = await changes.write((tx) => {
        const held = tables.get(tableId, tx.now)?.lock ?? null;
        if (held !== null && held.terminalId !== by.terminalId) return { locked: false, lock: held };
        if (held === null) requireFewLocks(by.terminalId, tx.now);
        const lock = { userName: by.userName, terminalId: by.terminalId, expiresAt: isoTime(tx.now + ttlMs) };
        tx.emit(tables.save(tx, tableId, by.terminalId, { lock }));
        return { locked: true, lock };
      });
      scheduleSweep();
      return answer;
    },

    /** Takes a lock away; someone else's only when `isManager`. */
    async unlock(tableId: number, terminalId: string, isManager: boolean): Promise<void> {
      await changes.write((tx) => {
        const held = tables.get(tableId, tx.now)?.lock ?? null;
        if (held === null) return;
        if (held.terminalId !== terminalId && !isManager) {
          throw new HubError("FORBIDDEN", `table ${tableId} is locked by ${held.userName}`);
        }
        tx.emit(tables.save(tx, tableId, terminalId, { lock: null }));
      });
    },

    reserve: (tableId: number, origin: string): Promise<TableStatus> => setReserved(tableId, origin, true),
    unreserve: (tableId: number, origin: string): Promise<TableStatus> => setReserved(tableId, origin, false),
  };
}
