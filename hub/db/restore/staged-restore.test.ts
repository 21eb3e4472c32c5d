import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { tempFolder, zeroRootPage } from "../../test/support/data/data-files.ts";
import { realWorld } from "../../platform/world.ts";
import { createLossStore } from "../../restores/loss-store.ts";
import { listAsides } from "../files/files.ts";
import { readPlace } from "../last-seen.ts";
import { createDataFile, migrate } from "../migrate.ts";
import { openDataFile } from "../open.ts";
import { cancelStagedRestore, restoreNow, stageRestore } from "./staged-restore.ts";

const world = realWorld(pino({ level: "silent" }));

function change<T>(file: string, work: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    migrate(db, world);
    return work(db);
  } finally {
    db.close();
  }
}

function enrol(file: string, seed: string): void {
  change(file, (db) => {
    const insertLink = db.prepare(
      "INSERT OR REPLACE INTO chain_link VALUES (1, 'a', '{}', 'key', ?, 1, 'Ana', 0, NULL)",
    );
    insertLink.run(seed);
  });
}

const seedIn = (file: string): unknown => change(file, (db) => db.prepare("SELECT seed FROM chain_link").pluck().get());
const stateIn = (file: string): unknown => change(file, (db) => db.prepare("SELECT state FROM shifts").pluck().get());

/** Creates a data file whose shift was closed after its backup. `restore` restores that and returns the shift's state. */
function closedSince() {
  const dbPath = path.join(tempFolder(), "hub.sqlite");
  const backupDir = path.join(path.dirname(dbPath), "backups");
  const backup = path.join(tempFolder(), "backup.sqlite");
  const copyTo = (target: string): void => copyFileSync(dbPath, target);
  createDataFile(dbPath, world);
  change(dbPath, (db) => {
    db.exec(`
      INSERT INTO shifts (shift_id, till_id, till_name, state, opened_at, opened_by, cash_method, float, floats)
      VALUES ('S', 'T', 'Caja', 'open', 1, 'Ana', '1', 100, '{}')`);
  });
  const close = (): void =>
    change(
      dbPath,
      (db) => void db.exec("UPDATE shifts SET state = 'closed', report = '{}'; UPDATE hub_state SET seq = seq + 1"),
    );
  return {
    dbPath,
    backupDir,
    backup,
    copyTo,
    close,
    restore(): unknown {
      restoreNow({ dbPath, backupDir }, backup, "manager", world);
      return stateIn(dbPath);
    },
  };
}

describe("a restore over a missing data file", () => {
  it("a restore over a missing file reads nothing from a damaged file set aside long ago [REST-6]", () => {
    const { dbPath, backup, copyTo, close, restore } = closedSince();
    copyTo(`${dbPath}.damaged-2026-01-05T12-00-00-000Z`);
    close();
    copyTo(backup);
    rmSync(dbPath);
    expect(restore()).toBe("closed");
  });

  it("a restore over a missing file reads the damaged file that the hub asks about [REST-6]", () => {
    const { dbPath, backupDir, backup, copyTo, close, restore } = closedSince();
    copyTo(backup);
    close();
    const whole = path.join(tempFolder(), "whole.sqlite");
    copyTo(whole);
    writeFileSync(dbPath, Buffer.alloc(8192, 0x5a));
    const question = refusalOfOpening({ file: dbPath, backupDir });
    // Simulates damage that leaves the file readable.
    copyFileSync(whole, /set aside as (\S+);/.exec(question)?.[1] ?? "");
    expect(restore()).toBe("closed");
  });
});

describe("a restore over an older copy of the data file", () => {
  it("a restore over an older copy keeps the backup's orders and reads the copy only partly [REST-130]", () => {
    const { dbPath, backup, copyTo, close, restore } = closedSince();
    const older = path.join(tempFolder(), "older.sqlite");
    copyTo(older);
    close();
    copyTo(backup);
    copyFileSync(older, dbPath);
    expect(restore()).toBe("closed");
    const facts = change(dbPath, (db) => db.prepare("SELECT replaced_read FROM restores").pluck().get());
    expect(facts).toBe("partly");
  });

  it("a restore over an older copy keeps the backup's place in a chain [CHAIN-13]", () => {
    const { dbPath, backup, copyTo, close, restore } = closedSince();
    const older = path.join(tempFolder(), "older.sqlite");
    enrol(dbPath, "given up");
    copyTo(older);
    enrol(dbPath, "present");
    close();
    copyTo(backup);
    copyFileSync(older, dbPath);
    restore();
    expect(seedIn(dbPath)).toBe("present");
  });
});

it("a loss dismissed since the backup stays dismissed after a restore [REST-131]", () => {
  const { dbPath, copyTo, backup, close, restore } = closedSince();
  change(dbPath, (db) => {
    const insertLoss = db.prepare(`
      INSERT INTO losses (kind, pos_reference, version, sources, known_at, body, found_at)
      VALUES ('order', ?, 3, '["backup"]', 1, NULL, 5)`);
    for (const posReference of ["dismissed", "open"]) insertLoss.run(posReference);
  });
  copyTo(backup);
  close();
  change(dbPath, (db) => {
    db.exec(`UPDATE losses SET state = 'dismissed', settled_at = 9, settled_by = 'Ana', settled_note = '"known"'
      WHERE pos_reference = 'dismissed'`);
  });
  restore();
  const losses = change(dbPath, (db) =>
    db.prepare("SELECT pos_reference AS name, state, settled_by AS by FROM losses ORDER BY name").all(),
  );
  expect(losses).toEqual([
    { name: "dismissed", state: "dismissed", by: "Ana" },
    { name: "open", state: "open", by: null },
  ]);
});

it("a dismissed loss that the backup lacks, or has in an older version, stays dismissed [REST-131]", () => {
  const { dbPath, copyTo, backup, close, restore } = closedSince();
  const insertLoss = (posReference: string, state: string, version: number): void =>
    change(dbPath, (db) => {
      db.prepare("DELETE FROM losses WHERE pos_reference = ?").run(posReference);
      db.prepare(`
        INSERT INTO losses (kind, pos_reference, version, sources, known_at, body, found_at, state, settled_at, settled_by)
        VALUES ('order', ?, ?, '["terminal:bar"]', 1, NULL, 5, ?, 9, 'Ana')`).run(posReference, version, state);
    });
  insertLoss("renewed", "open", 3);
  insertLoss("newer", "open", 5);
  copyTo(backup);
  close();
  insertLoss("renewed", "dismissed", 4);
  insertLoss("newer", "dismissed", 4);
  insertLoss("since", "dismissed", 2);
  restore();
  const losses = openDataFile({ file: dbPath, backupDir: path.dirname(backup), world });
  try {
    const { findOpen, settledVersion } = createLossStore(losses.db);
    const standing = ["renewed", "newer", "since"].map((name) => [findOpen(name)?.version, settledVersion(name)]);
    expect(standing).toEqual([
      [undefined, 4],
      [5, 4],
      [undefined, 2],
    ]);
  } finally {
    losses.close();
  }
  // The file restored the second time already contains these losses.
  restore();
  expect(change(dbPath, (db) => db.prepare("SELECT count(*) FROM losses").pluck().get())).toBe(4);
});

it("a restore keeps the backup's place in a chain if the replaced file's is unreadable [CHAIN-13]", () => {
  const { dbPath, copyTo, backup, close, restore } = closedSince();
  enrol(dbPath, "of the backup");
  copyTo(backup);
  close();
  zeroRootPage(dbPath, "chain_link");
  restore();
  expect(seedIn(dbPath)).toBe("of the backup");
});

describe("a restore over a file without backups", () => {
  it("a restore over a file without backups begins a later history, known to headquarters [DB-24]", () => {
    const { dbPath, backup, copyTo, restore } = closedSince();
    copyTo(backup);
    const place = (): unknown => change(dbPath, (db) => db.prepare("SELECT generation FROM hub_state").pluck().get());
    restore();
    expect(place()).toBe(1);
    restore();
    expect(place()).toBe(2);
    writeFileSync(`${dbPath}.last-seen`, JSON.stringify(change(dbPath, readPlace)));
    writeFileSync(dbPath, Buffer.alloc(8192, 0x5a));
    restore();
    expect(place()).toBe(3);
  });
});

describe("a damaged data file", () => {
  it("a damaged file is set aside only once the question about it could be stored [DB-4]", () => {
    const { dbPath, backupDir, backup, copyTo, close, restore } = closedSince();
    copyTo(backup);
    close();
    const whole = path.join(tempFolder(), "whole.sqlite");
    copyTo(whole);
    writeFileSync(dbPath, Buffer.alloc(8192, 0x5a));
    mkdirSync(`${dbPath}.needs-decision`);
    expect(refusalOfOpening({ file: dbPath, backupDir })).not.toContain("set aside");
    rmSync(`${dbPath}.needs-decision`, { recursive: true });
    const question = refusalOfOpening({ file: dbPath, backupDir });
    copyFileSync(whole, /set aside as (\S+);/.exec(question)?.[1] ?? "");
    expect(restore()).toBe("closed");
  });
});

describe("an unfinished restore", () => {
  it("a new restore replaces an unfinished one, whose prepared file is not used [DB-22]", () => {
    const { dbPath, backupDir, backup, copyTo, close } = closedSince();
    copyTo(backup);
    close();
    const chosen = path.join(tempFolder(), "wanted.sqlite");
    copyTo(chosen);
    // The state after a failed rename.
    stageRestore(dbPath, { backup, aside: `${dbPath}.replaced-x`, by: "manager" });
    copyFileSync(backup, `${dbPath}.next`);
    restoreNow({ dbPath, backupDir }, chosen, "manager", world);
    expect(stateIn(dbPath)).toBe("closed");
  });

  /** Simulates a power cut between the renames: the data file is set aside, and no new one has its name yet. */
  function cutOff() {
    const files = closedSince();
    const { dbPath, backup, copyTo, close } = files;
    copyTo(backup);
    close();
    const aside = `${dbPath}.replaced-x`;
    stageRestore(dbPath, { backup, aside, by: "manager" });
    copyFileSync(backup, `${dbPath}.next`);
    renameSync(dbPath, aside);
    return { ...files, aside };
  }

  it("a restore interrupted between its renames can be cancelled [DB-22]", () => {
    const { dbPath, backupDir, aside } = cutOff();
    writeFileSync(`${aside}-wal`, "");
    expect(cancelStagedRestore(dbPath, world)).toBe(true);
    expect(existsSync(`${dbPath}-wal`)).toBe(true);
    expect(refusalOfOpening({ file: dbPath, backupDir })).toBe("");
    expect(stateIn(dbPath)).toBe("closed");
  });

  it("a new restore after one interrupted between its renames replaces the previous file [DB-22]", () => {
    expect(cutOff().restore()).toBe("closed");
  });

  it("a restore whose file is in place cannot be cancelled [DB-22]", () => {
    const { dbPath, backupDir } = cutOff();
    renameSync(`${dbPath}.next`, dbPath);
    expect(cancelStagedRestore(dbPath, world)).toBe(false);
    const { restore, close } = openDataFile({ file: dbPath, backupDir, world });
    close();
    expect(restore).toMatchObject({ done: { by: "manager" } });
  });

  it("a completed restore that had no file to set aside cannot be cancelled [DB-22]", () => {
    const { dbPath, backupDir, backup, copyTo } = closedSince();
    copyTo(backup);
    rmSync(dbPath);
    stageRestore(dbPath, { backup, aside: `${dbPath}.replaced-x`, by: "manager" });
    const note = readFileSync(`${dbPath}.restore`);
    openDataFile({ file: dbPath, backupDir, world }).close();
    const { epoch } = change(dbPath, readPlace);
    // The state after the process was killed before it removed the note.
    writeFileSync(`${dbPath}.restore`, note);
    expect(cancelStagedRestore(dbPath, world)).toBe(false);
    openDataFile({ file: dbPath, backupDir, world }).close();
    expect(change(dbPath, readPlace).epoch).toBe(epoch);
    expect(listAsides(dbPath)).toEqual([]);
  });
});

function refusalOfOpening(file: { file: string; backupDir: string }): string {
  try {
    openDataFile({ ...file, world }).close();
    return "";
  } catch (error) {
    return String(error);
  }
}
