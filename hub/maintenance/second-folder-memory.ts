import type { SecondFolderFailure } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { FOLDER_MEMORY, type FolderRecord } from "../db/backups/other-disk.ts";
import type { SecondFolderFacts } from "../db/backups/second-folder.ts";
import type { Memory } from "../db/remembered.ts";
import type { World } from "../platform/world.ts";

/** What is stored across restarts, for one folder and one data file. */
interface Remembered extends FolderRecord {
  facts: SecondFolderFacts | null;
  outage: { reason: SecondFolderFailure["reason"]; detail: string; since: string } | null;
}

/** Keeps the known state of the second folder: its copies, and since when it is unavailable. */
export function createFolderMemory(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  dbPath: string;
  folder: string;
}) {
  const { world, changes, memory, dbPath, folder } = deps;
  let state: Remembered = remembered();

  function remembered(): Remembered {
    const stored = memory.read<Remembered>(FOLDER_MEMORY.second)?.value;
    const isCurrent = stored !== undefined && stored.folder === folder && stored.dbPath === dbPath;
    return isCurrent ? stored : { folder, dbPath, facts: null, outage: null };
  }

  /** Writes only when something changed: not every minute while a disk is missing. */
  async function remember(next: Remembered): Promise<void> {
    const isChanged =
      JSON.stringify({ ...next.facts, freeBytes: 0 }) !== JSON.stringify({ ...state.facts, freeBytes: 0 });
    const isOther = next.outage?.reason !== state.outage?.reason;
    if (isOther && next.outage === null) world.log.info({ folder }, "backups are copied to the second folder again");
    state = next;
    if (!isChanged && !isOther) return;
    await changes.write((tx) => {
      memory.write(FOLDER_MEMORY.second, next, tx.now);
      tx.notify(["backups"]);
    });
  }

  return { get: (): Remembered => state, remember };
}
