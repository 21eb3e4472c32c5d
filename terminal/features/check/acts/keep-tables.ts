import { realWorld, type Terminal, TerminalRefusal } from "@comanda/terminal";

/** A device that dies meanwhile keeps a table no longer than this. */
const LOCK_MS = 60_000;

/**
 * Keeps tables for the guests who move there, so that nobody else seats guests at them, until `end` has come. Others see who has
 * them; nothing is forbidden. Without the hub nothing is asked before it is back.
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
      // Where the hub did not answer, what it had locked before may still be kept.
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
  ignore();
  await locking;
  await Promise.allSettled([...own].map(async (id) => terminal.unlockTable(id)));
}
