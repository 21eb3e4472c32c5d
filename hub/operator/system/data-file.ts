import type { DataFile } from "@comanda/protocol";
import type { BackgroundCheck } from "../../maintenance/background-check.ts";
import type { DataFileWatch } from "../../db/integrity/data-file-watch.ts";
import { sizeOf } from "../../db/files/files.ts";
import type { Db } from "../../db/open.ts";
import type { Maintenance } from "../../maintenance/maintenance.ts";

export type DataFileAdmin = ReturnType<typeof createDataFileAdmin>;

/** The state of the data file, and a full check of it. */
export function createDataFileAdmin(deps: {
  db: Db;
  maintenance: Maintenance;
  watch: DataFileWatch;
  check: BackgroundCheck;
  dbPath: string;
}) {
  const { db, maintenance, watch, check, dbPath } = deps;
  const state = db.prepare<[], { hubId: string; epoch: string }>("SELECT hub_id AS hubId, epoch FROM hub_state");

  function read(): DataFile {
    const { hubId, epoch } = state.get() ?? { hubId: "", epoch: "" };
    return {
      path: dbPath,
      bytes: sizeOf(dbPath) ?? 0,
      walBytes: sizeOf(`${dbPath}-wal`) ?? 0,
      freeDiskBytes: maintenance.freeBytes(),
      diskLow: maintenance.isDiskLow(),
      schemaVersion: Number(db.pragma("user_version", { simple: true })),
      hubId,
      epoch,
      check: check.last(),
      checking: check.progress(),
      doubts: watch.problems(),
    };
  }

  return {
    read,
    async check(): Promise<DataFile> {
      await check.runNow();
      return read();
    },
  };
}
