import { existsSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { DataFile } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import type { Upkeep } from "../upkeep.ts";
import { isoTime, type World } from "../world.ts";

/** Rows whose checksums are compared in one go, so that nobody waits for it. */
const SLICE = 500;

/** How the data file is, and a check of the whole of it. */
export function createDataFileRoom(deps: {
  world: World;
  db: Db;
  upkeep: Upkeep;
  dbPath: string;
  settled: () => Promise<void>;
}) {
  const { world, db, upkeep, dbPath } = deps;
  const state = db.prepare<[], { hubId: string; epoch: string }>("SELECT hub_id AS hubId, epoch FROM hub_state");
  const slice = db.prepare<[number, number], { id: number; body: string; checksum: number }>(
    "SELECT id, body, checksum FROM order_versions WHERE id > ? ORDER BY id LIMIT ?",
  );
  let check: DataFile["check"] = null;

  function read(): DataFile {
    const { hubId, epoch } = state.get() ?? { hubId: "", epoch: "" };
    return {
      path: dbPath,
      bytes: sizeOf(dbPath),
      walBytes: sizeOf(`${dbPath}-wal`),
      freeDiskBytes: upkeep.freeBytes(),
      diskLow: upkeep.isDiskLow(),
      schemaVersion: Number(db.pragma("user_version", { simple: true })),
      hubId,
      epoch,
      check,
    };
  }

  /** Compares every stored version with its checksum; answers how many differ. */
  async function countDamaged(): Promise<number> {
    let damaged = 0;
    for (let after = 0; ;) {
      await deps.settled();
      const rows = slice.all(after, SLICE);
      damaged += rows.filter((row) => crc32(row.body) !== row.checksum).length;
      const last = rows.at(-1);
      if (last === undefined) return damaged;
      after = last.id;
      await new Promise<void>((resolve) => world.timers.setImmediate(resolve));
    }
  }

  return {
    read,
    async check(): Promise<DataFile> {
      const structure = String(db.pragma("quick_check(1)", { simple: true }));
      const damaged = await countDamaged();
      const ok = structure === "ok" && damaged === 0;
      if (!ok) upkeep.doubtDataFile();
      const message = structure !== "ok" ? structure : damaged > 0 ? `${damaged} stored orders are damaged` : "ok";
      check = { at: isoTime(world.clock.now()), ok, message };
      return read();
    },
  };
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
