import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { realWorld } from "../../platform/world.ts";
import type { TestHub } from "../support/start-test-hub.ts";

/** Restarts a hub as on another PC, at the same address: with a backup and nothing else of what it had, or (null) empty. */
export async function moveHub(hub: TestHub, backup: string | null): Promise<void> {
  await hub.restart(() => moveFiles(hub.dbPath, backup));
}

/** Leaves the folder of a hub that does not run as it is on another PC. */
export function moveFiles(dbPath: string, backup: string | null): void {
  const folder = dirname(dbPath);
  const apart = mkdtempSync(join(tmpdir(), "hub-moved-"));
  if (backup !== null) copyFileSync(join(folder, "backups", backup), join(apart, backup));
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  if (backup !== null) {
    const world = realWorld(pino({ level: "silent" }));
    restoreNow({ dbPath, backupDir: join(folder, "backups") }, join(apart, backup), "test", world);
  }
  rmSync(apart, { recursive: true });
}
