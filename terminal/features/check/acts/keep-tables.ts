import { realWorld, type Terminal, TerminalRefusal } from "@comanda/terminal";

/** A device that dies meanwhile keeps a table no longer than this. */
const LOCK_MS = 60_000;

/**
 * Keeps tables for the guests who move there, so that nobody else seats guests at them, until `end` has come. Others see who has
 * them; nothing is forbidden, and without the hub nothing is asked.
 */
export async function keepTables(
  terminal: Pick<Terminal, "connection" | "lockTable" | "unlockTable">,
  tableIds: readonly number[],
  end: Promise<unknown>,
  timers = realWorld().timers,
): Promise<void> {
  if (tableIds.length === 0 || terminal.connection().name !== "online") return;
  const own = new Set<number>();
  const lock = async (tableId: number): Promise<void> => {
    try {
      await terminal.lockTable(tableId, LOCK_MS);
      own.add(tableId);
    } catch (error) {
      // Where the hub did not answer, what it had locked before may still be kept.
      if (error instanceof TerminalRefusal) own.delete(tableId);
    }
  };
  const lockAll = () => Promise.all(tableIds.map(lock));
  let locking = lockAll();
  await locking;
  let stop = (): void => {};
  // Somebody may take longer to choose, and a move may wait longer for who has its check in use.
  const renewLater = (): void => {
    stop = timers.after(LOCK_MS / 2, () => {
      renewLater();
      locking = lockAll();
    });
  };
  renewLater();
  await end;
  stop();
  await locking;
  await Promise.allSettled([...own].map(async (id) => terminal.unlockTable(id)));
}
