import type { BackupFolderTest, BackupFolderTests } from "@comanda/protocol";
import { createJobs } from "../../jobs/jobs.ts";
import { testFolderJob } from "../../maintenance/backup-jobs.ts";
import type { World } from "../../platform/world.ts";
import type { HubConfig } from "../../settings/config.ts";

/** How long the test of a folder may take. */
const TEST_MS = 10_000;

/** Tests the backup folders, each on its own thread, since a folder on a network may take long to answer. */
export function createFolderTests(
  deps: Pick<HubConfig, "dbPath" | "backupDir" | "secondBackupDir"> & { world: World },
): () => Promise<BackupFolderTests> {
  const { world, dbPath, backupDir, secondBackupDir } = deps;
  // Own jobs: the hub's stop must not wait for a network folder, and its disk failures do not concern the data file.
  const folderTests = createJobs({ world, onFailure: () => {} });

  return testFolders;

  async function testFolders(): Promise<BackupFolderTests> {
    const [first, second] = await Promise.all([
      testFolder(backupDir, true),
      secondBackupDir === null ? null : testFolder(secondBackupDir, false),
    ]);
    return { first, second };
  }

  async function testFolder(folder: string, isMade: boolean): Promise<BackupFolderTest> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = world.timers.setTimeout(() => resolve(null), TEST_MS);
    const found = await Promise.race([folderTests.run(testFolderJob, { folder, dataFile: dbPath, isMade }), late]);
    world.timers.clearTimeout(timer);
    if (found === null) return { folder, result: "not_answering", freeBytes: null, sameDisk: false };
    if (!found.ok) return { folder, result: found.reason, freeBytes: null, sameDisk: false };
    return { folder, result: "writable", freeBytes: found.freeBytes, sameDisk: found.isSameDisk };
  }
}
