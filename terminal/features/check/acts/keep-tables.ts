import { realWorld, type Terminal } from "@comanda/terminal";

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
  const lock = () => Promise.allSettled(tableIds.map(async (id) => terminal.lockTable(id, LOCK_MS)));
  let locks = await lock();
  let stop = (): void => {};
  // Somebody may take longer to choose, and a move may wait longer for who has its check in use.
  const renewLater = (): void => {
    stop = timers.after(LOCK_MS / 2, () => {
      renewLater();
      void lock().then((next) => (locks = next));
    });
  };
  renewLater();
  await end;
  stop();
  const own = tableIds.filter((_, at) => locks[at]?.status === "fulfilled");
  await Promise.allSettled(own.map(async (id) => terminal.unlockTable(id)));
}
