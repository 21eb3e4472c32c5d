import { realWorld, type Terminal, TerminalRefusal } from "@comanda/terminal";

/** A device that dies while it holds a lock keeps the table no longer than this, in ms. */
const LOCK_MS = 60_000;

/**
 * Locks tables for the guests who move there until `end` settles, so that no other terminal seats guests at them. A lock is a
 * hint: it forbids nothing. While the hub is unreachable no lock is requested; this resumes on reconnect.
 */
export async function keepTables(
  terminal: Pick<Terminal, "connection" | "lockTable" | "on" | "unlockTable">,
  tableIds: readonly number[],
  end: Promise<unknown>,
  timers = realWorld().timers,
): Promise<void> {
  if (tableIds.length === 0) return;
  const own = new Set<number>();
  const lock = async (tableId: number): Promise<void> => {
    try {
      await terminal.lockTable(tableId, LOCK_MS);
      own.add(tableId);
    } catch (error) {
      // If the hub did not answer, an earlier lock may still be held.
      if (error instanceof TerminalRefusal) own.delete(tableId);
    }
  };
  const lockAll = async (): Promise<void> => {
    if (terminal.connection().name === "online") await Promise.all(tableIds.map(lock));
  };
  let locking = lockAll();
  await locking;
  const ignore = terminal.on("connection", () => {
    locking = Promise.all([locking, lockAll()]).then(() => {});
  });
  let stop = (): void => {};
  // Renews the locks: the choice, or the wait for the check's current editor, may take longer than one.
  const renewLater = (): void => {
    stop = timers.after(LOCK_MS / 2, () => {
      renewLater();
      locking = lockAll();
    });
  };
  renewLater();
  await end;
  stop();
  ignore();
  await locking;
  await Promise.allSettled([...own].map(async (id) => terminal.unlockTable(id)));
}
