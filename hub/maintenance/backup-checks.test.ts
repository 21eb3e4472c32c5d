import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { Tx } from "../changes/change.ts";
import type { BackupFile } from "../db/backups/backup-files.ts";
import { migrate } from "../db/migrate.ts";
import { createMemory } from "../db/remembered.ts";
import { realWorld } from "../platform/world.ts";
import { createBackupChecks } from "./backup-checks.ts";

const tx: Tx = { now: 1, firstSeq: 1, nextSeq: () => 1, emit: () => {}, notify: () => {}, onUndo: () => {} };

function backup(day: string): BackupFile {
  const name = `hub-daily-${day}T08-00-00-000Z.sqlite`;
  const createdAt = Date.parse(`${day}T08:00:00Z`);
  return { name, path: `/b/${name}`, bytes: 1, createdAt, kind: "daily", isCompressed: false };
}

it("backups of another data file are not counted, also before the folder was listed [BAK-30]", () => {
  const db = new Database(":memory:");
  migrate(db, realWorld(pino({ level: "silent" })));
  const [own, other] = [backup("2026-11-20"), backup("2026-11-21")];
  const before = createBackupChecks(createMemory(db));
  before.listed({ all: [other, own], own: [own] });
  for (const { name } of [own, other]) before.remember(tx, { name, ok: true });
  expect(before.lastGoodAt()).toBe(own.createdAt);
  const afterRestart = createBackupChecks(createMemory(db));
  expect(afterRestart.lastGoodAt()).toBe(own.createdAt);
  db.close();
});
