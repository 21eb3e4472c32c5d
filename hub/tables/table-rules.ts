import { HUB_ORIGIN, type TableLock, type TableStatus, hubLimits } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import { createLoop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import { requireFewUnplanned, type PlannedTables } from "./require-known-tables.ts";
import { isInForce, type TableStore } from "./table-store.ts";

export type TableRules = ReturnType<typeof createTableRules>;

const DEFAULT_LOCK_MS = 60_000;
/** The sweep runs when a lock ends, and at least this often. */
const SWEEP_MS = 60_000;
const MIN_WAIT_MS = 50;

/** Manages advisory locks and reservations of tables. */
export function createTableRules(deps: {
  world: World;
  changes: ChangeLog;
  tables: TableStore;
  plannedTables: PlannedTables;
}) {
  const { world, changes, tables } = deps;
  const loop = createLoop(world, "ended table locks", SWEEP_MS, sweep, () => {
    const ends = tables.listLocked().map(({ lock }) => Date.parse(lock.expiresAt));
    return Math.max(MIN_WAIT_MS, Math.min(...ends) - world.clock.now());
  });

  /** Announces locks that have ended. */
  async function sweep(): Promise<void> {
    const hasEnded = ({ lock }: { lock: TableLock }): boolean => !isInForce(lock, world.clock.now());
    if (!tables.listLocked().some(hasEnded)) return;
    await changes.write((tx) => {
      for (const { tableId } of tables.listLocked().filter(hasEnded)) {
        tx.emit(tables.save(tx, tableId, HUB_ORIGIN, { lock: null }));
      }
    });
  }

  async function setReserved(tableId: number, origin: string, isReserved: boolean): Promise<TableStatus> {
    return changes.write((tx): TableStatus => {
      const status = tables.get(tableId, tx.now)?.status ?? "available";
      if (status === "occupied")
        throw new HubError("TABLE_OCCUPIED", `table ${tableId} is occupied`, existing(tableId));
      const expected: TableStatus = isReserved ? "reserved" : "available";
      if (isReserved) requireFewUnplanned(deps, [tableId], tx.now);
      if (status !== expected) tx.emit(tables.save(tx, tableId, origin, { status: expected }));
      return expected;
    });
  }

  /** Rejects a lock beyond the limits per terminal and per user. */
  function requireFewLocks({ terminalId, userName }: { terminalId: string; userName: string }, now: number): void {
    const { locksPerTerminal, locksPerUser } = hubLimits;
    const locks = tables.listLocked().flatMap(({ lock }) => (isInForce(lock, now) ? [lock] : []));
    if (locks.filter((lock) => lock.terminalId === terminalId).length >= locksPerTerminal) {
      throw new HubError("LIMIT_REACHED", `a terminal locks at most ${locksPerTerminal} tables`);
    }
    if (locks.filter((lock) => lock.userName === userName).length < locksPerUser) return;
    throw new HubError("LIMIT_REACHED", `the terminals of one user lock at most ${locksPerUser} tables`);
  }

  function existing(tableId: number) {
    return { existing: { posReference: tables.get(tableId, world.clock.now())?.posReference ?? "" } };
  }

  return {
    start: loop.start,
    stop: loop.stop,

    /** Locks a table for a terminal or renews its lock. Returns the current lock and whether it is the terminal's. */
    async lock(
      tableId: number,
      by: { terminalId: string; userName: string },
      ttlMs = DEFAULT_LOCK_MS,
    ): Promise<{ locked: boolean; lock: TableLock }> {
      const answer = await changes.write((tx) => {
        const current = tables.get(tableId, tx.now)?.lock ?? null;
        if (current !== null && current.terminalId !== by.terminalId) return { locked: false, lock: current };
        if (current === null) {
          requireFewUnplanned(deps, [tableId], tx.now);
          requireFewLocks(by, tx.now);
        }
        const lock = { userName: by.userName, terminalId: by.terminalId, expiresAt: isoTime(tx.now + ttlMs) };
        tx.emit(tables.save(tx, tableId, by.terminalId, { lock }));
        return { locked: true, lock };
      });
      loop.reschedule();
      return answer;
    },

    /** Removes a lock; another terminal's only if `isManager`. */
    async unlock(tableId: number, terminalId: string, isManager: boolean): Promise<void> {
      await changes.write((tx) => {
        const current = tables.get(tableId, tx.now)?.lock ?? null;
        if (current === null) return;
        if (current.terminalId !== terminalId && !isManager) {
          throw new HubError("FORBIDDEN", `table ${tableId} is locked by ${current.userName}`);
        }
        tx.emit(tables.save(tx, tableId, terminalId, { lock: null }));
      });
    },

    reserve: (tableId: number, origin: string): Promise<TableStatus> => setReserved(tableId, origin, true),
    unreserve: (tableId: number, origin: string): Promise<TableStatus> => setReserved(tableId, origin, false),
  };
}
