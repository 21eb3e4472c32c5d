import type { DataFile } from "@comanda/protocol";
import type { BackgroundCheck } from "../background-check.ts";
import type { DataFileWatch } from "../db/data-file-watch.ts";
import { sizeOf } from "../db/files.ts";
import type { Db } from "../db/open.ts";
import type { Upkeep } from "../upkeep.ts";

/** How the data file is, and a check of the whole of it. */
export function createDataFileRoom(deps: {
  db: Db;
  upkeep: Upkeep;
  watch: DataFileWatch;
  check: BackgroundCheck;
  dbPath: string;
}) {
  const { db, upkeep, watch, check, dbPath } = deps;
  const state = db.prepare<[], { hubId: string; epoch: string }>("SELECT hub_id AS hubId, epoch FROM hub_state");

  function read(): DataFile {
    const { hubId, epoch } = state.get() ?? { hubId: "", epoch: "" };
    return {
      path: dbPath,
      bytes: sizeOf(dbPath) ?? 0,
      walBytes: sizeOf(`${dbPath}-wal`) ?? 0,
      freeDiskBytes: upkeep.freeBytes(),
      diskLow: upkeep.isDiskLow(),
      schemaVersion: Number(db.pragma("user_version", { simple: true })),
      hubId,
      epoch,
      check: check.last(),
      checking: check.progress(),
      doubts: watch.doubts(),
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
