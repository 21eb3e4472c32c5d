import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { realWorld } from "../../platform/world.ts";
import type { TestHub } from "../support/start-test-hub.ts";

/** Restarts a hub as if on another PC at the same address, with only this backup, or empty if `null`. */
export async function moveHub(hub: TestHub, backup: string | null): Promise<void> {
  await hub.restart(() => moveFiles(hub.dbPath, backup));
}

/** Empties the folder of a stopped hub and restores the backup there, if any. */
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
