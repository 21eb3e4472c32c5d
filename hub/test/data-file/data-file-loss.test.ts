// @module-tag long
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { listBackups } from "../../db/backups/backup-files.ts";
import { placeOf } from "../../db/backups/backup-files.ts";
import { compressBackup } from "../../db/backups/compressed-backup.ts";
import { makeBackup } from "../../db/backups/make-backup.ts";
import { finish, finishAsync } from "../../db/files/steps.ts";
import { verifyBackup, verifyStepByStep } from "../../db/backups/verify-backup.ts";
import { moveFiles } from "../../db/files/files.ts";
import { readLastSeen, readPlace } from "../../db/last-seen.ts";
import { openDataFile } from "../../db/open.ts";
import { stageRestore } from "../../db/restore/staged-restore.ts";
import { walLosesCommits } from "../../db/integrity/wal-damage.ts";
import { StartError } from "../../platform/errors.ts";
import { realWorld } from "../../platform/world.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal } from "../support/connect-terminal.ts";
import {
  countRows,
  filledFile,
  tempFolder,
  growLarge,
  leftovers,
  hubEnv,
  zeroRootPage,
} from "../support/data/data-files.ts";
import { operatorOf } from "../support/operator.ts";
import { smallDisk } from "../support/data/small-disk.ts";
import { signCursor } from "../support/data/sign-cursor.ts";
import { hubProgram, runHubToEnd, spawnHub, startHubProgram } from "../support/start-hub-program.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));

const order = (posReference: string) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion: 0,
  snapshot: terminalSnapshot(),
});

function command(dbPath: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", ...hubEnv(dbPath) };
  return spawnSync(process.execPath, [hubProgram, ...args], { env, cwd: path.dirname(dbPath), encoding: "utf8" });
}

/** Opens and closes a data file in this process. Returns the error that prevents opening it, or null. */
function openingFails(file: string): StartError | null {
  try {
    openDataFile({ file, backupDir: path.join(path.dirname(file), "backups"), world }).close();
    return null;
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

function backUp(dbPath: string): string {
  const backups = path.join(path.dirname(dbPath), "backups");
  mkdirSync(backups, { recursive: true });
  const backup = path.join(backups, "hub-daily-2026-11-01T03-00-00-000Z.sqlite");
  copyFileSync(dbPath, backup);
  return backup;
}

/** Returns a data file whose hub was killed while working, with its WAL beside it. */
async function killedFile() {
  const { dbPath, token, url } = await filledFile();
  const program = await startHubProgram(hubEnv(dbPath, url));
  const till = await program.terminal(token, "till");
  for (let i = 0; i < 20; i += 1) await till.change(order(`K${i}`));
  const { hubId, epoch } = till.hello;
  await till.change(order("LAST"));
  const { seq, signature } = await till.next("ORDER_CHANGED", ({ posReference }) => posReference === "LAST");
  await program.end("SIGKILL");
  return { dbPath, token, url, since: { hubId, epoch, seq, signature }, walBytes: statSync(`${dbPath}-wal`).size };
}

describe("a missing data file ", () => {
  it.each([
    ["is missing", (file: string) => rmSync(file)],
    ["is empty", (file: string) => truncateSync(file)],
  ])("a hub does not start when its data file %s and there are backups [DB-12]", async (_, damage) => {
    const { dbPath } = await filledFile();
    const backup = backUp(dbPath);
    damage(dbPath);
    const first = await runHubToEnd(hubEnv(dbPath));
    expect(first).toMatchObject({ code: 1, stdout: "" });
    expect(first.stderr.trim().split("\n")).toHaveLength(1);
    expect(first.stderr).toContain("missing or empty");
    expect(first.stderr).toContain(`npm run hub -- restore ${backup}`);
    expect(existsSync(dbPath)).toBe(false);
    expect(await runHubToEnd(hubEnv(dbPath))).toMatchObject({ code: 1, stderr: first.stderr });
    const doctor = command(dbPath, "doctor", "--json");
    expect(JSON.parse(doctor.stdout).findings).toContainEqual(
      expect.objectContaining({ check: "data file", ok: false, detail: expect.stringContaining("missing or empty") }),
    );
  });

  it("a WAL without its data file is set aside unchanged [DB-12, DB-16]", async () => {
    const { dbPath, walBytes } = await killedFile();
    const wal = readFileSync(`${dbPath}-wal`);
    rmSync(dbPath);
    rmSync(path.join(path.dirname(dbPath), "backups"), { recursive: true, force: true });
    expect(openingFails(dbPath)).toMatchObject({ code: "data_file_missing" });
    const aside = readdirSync(path.dirname(dbPath)).find((name) => /\.damaged-.*-wal$/.test(name)) ?? "";
    expect(readFileSync(path.join(path.dirname(dbPath), aside)).equals(wal)).toBe(true);
    expect(walBytes).toBeGreaterThan(0);
  });

  it("a damaged data file is reported as damaged at each start until the operator decides [DB-4]", async () => {
    const { dbPath } = await filledFile();
    writeFileSync(dbPath, "no database ".repeat(1_000));
    const first = openingFails(dbPath);
    expect(first).toMatchObject({ code: "data_file_damaged" });
    expect(openingFails(dbPath)).toEqual(first);
    // A power cut may leave this file half written.
    writeFileSync(`${dbPath}.needs-decision`, '{"code":"data_fi');
    expect(openingFails(dbPath)).toMatchObject({ code: "data_file_missing" });
  });

  it("a missing data file is noticed when only its `.last-seen` file is left [DB-12]", async () => {
    const { dbPath } = await filledFile();
    expect(openingFails(dbPath)).toBeNull();
    rmSync(dbPath);
    expect(openingFails(dbPath)).toMatchObject({ code: "data_file_missing" });
  });

  it("a missing data file is noticed when only its key file is left, which `--empty` keeps [DB-12]", async () => {
    const { dbPath, url } = await filledFile();
    rmSync(dbPath);
    writeFileSync(`${dbPath}.key`, "a key");
    expect(openingFails(dbPath)).toMatchObject({ code: "data_file_missing" });
    const program = await startHubProgram(hubEnv(dbPath, url), { args: ["--empty"] });
    await program.end("SIGTERM");
    expect(readFileSync(`${dbPath}.key`, "utf8")).toBe("a key");
  });

  it("another hub's backups in the folder do not make the data file count as missing [DB-12]", async () => {
    const { dbPath } = await filledFile();
    const opened = openDataFile({ file: dbPath, backupDir: path.join(path.dirname(dbPath), "backups"), world });
    const dir = path.join(path.dirname(dbPath), "backups");
    await finishAsync(makeBackup({ file: dbPath, dir, kind: "manual", at: Date.now() }));
    opened.close();
    expect(openingFails(path.join(path.dirname(dbPath), "second.sqlite"))).toBeNull();
  });

  it("a missing data file is replaced by an empty one only with `--empty` [DB-13]", async () => {
    const { dbPath, url } = await filledFile();
    backUp(dbPath);
    rmSync(dbPath);
    expect((await runHubToEnd(hubEnv(dbPath))).code).toBe(1);
    const countAfterStart = async (): Promise<number> => {
      const program = await startHubProgram(hubEnv(dbPath, url), { args: ["--empty"] });
      await program.end("SIGTERM");
      return countRows(dbPath, "orders");
    };
    expect(await countAfterStart()).toBe(0);
    const { db, close } = openDataFile({ file: dbPath, backupDir: "", world });
    db.prepare("INSERT INTO audit_log (at, user_name, action) VALUES (1, 'x', 'y')").run();
    close();
    await countAfterStart();
    expect(countRows(dbPath, "audit_log")).toBe(1);
  });

  it("a hub killed at any moment of its first start starts again [DB-14]", async () => {
    for (let delay = 0; delay < 9; delay += 1) {
      const dbPath = path.join(tempFolder(), "hub.sqlite");
      const child = spawnHub(hubEnv(dbPath), {});
      const watcher = setInterval(
        () => {
          const fileCount = readdirSync(path.dirname(dbPath)).length;
          if (fileCount > delay % 4) child.kill("SIGKILL");
        },
        1 + (delay % 3),
      );
      await once(child, "exit");
      clearInterval(watcher);
      expect(openingFails(dbPath)).toBeNull();
    }
  });

  it("a half-written data file with a rollback journal is rolled back at the start [DB-14]", async () => {
    const { dbPath } = await filledFile();
    const half = path.join(tempFolder(), "hub.sqlite");
    const db = new Database(dbPath);
    db.pragma("journal_mode = DELETE");
    db.pragma("cache_size = 1");
    db.pragma("cache_spill = 1");
    db.exec("BEGIN; UPDATE order_versions SET body = replace(body, 'n', 'm')");
    for (const suffix of ["", "-journal"]) copyFileSync(dbPath + suffix, half + suffix);
    db.exec("ROLLBACK");
    db.close();
    expect(statSync(`${half}-journal`).size).toBeGreaterThan(0);
    expect(openingFails(half)).toBeNull();
    expect(verifyBackup(half)).toEqual({ ok: true, detail: "ok" });
    expect(countRows(half, "orders")).toBe(200);
  });

  it("another program's database is refused and left unchanged [DB-15]", async () => {
    const file = path.join(tempFolder(), "other.sqlite");
    const other = new Database(file);
    other.exec("CREATE TABLE recipes (name TEXT)");
    other.close();
    const before = readFileSync(file);
    expect(openingFails(file)).toMatchObject({
      code: "data_file_unusable",
      message: expect.stringContaining("no data file"),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("a data file that lost changes", () => {
  it("a data file gets a new epoch after an unclean end and keeps it after a clean one [DB-18]", async () => {
    const { dbPath, token, url, since } = await killedFile();
    const after = await startHubProgram(hubEnv(dbPath, url));
    const till = await after.terminal(token, "till", { since });
    expect(till.hello.epoch).not.toBe(since.epoch);
    expect(till.sync.mode).toBe("full");
    expect((await after.health()).reasons).not.toContain("data_file");
    const again = { hubId: since.hubId, epoch: till.hello.epoch, seq: till.sync.seq };
    await after.end("SIGTERM");
    const third = await startHubProgram(hubEnv(dbPath, url));
    const back = await third.terminal(token, "till", { since: again });
    expect({ epoch: back.hello.epoch, mode: back.sync.mode }).toEqual({ epoch: again.epoch, mode: "delta" });
    await third.end("SIGTERM");
  });

  it("a data file keeps its epoch when the system announces the end of the session [DESK-276]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    /** Copies the folder and returns what a start would find if the process ended now. */
    const placeIfEndedNow = () => {
      const copy = path.join(tempFolder(), "data");
      cpSync(path.dirname(hub.dbPath), copy, { recursive: true });
      const { db, close } = openDataFile({ file: path.join(copy, path.basename(hub.dbPath)), backupDir: copy, world });
      const place = readPlace(db);
      close();
      return place;
    };
    const { epoch } = till.hello;
    expect(placeIfEndedNow().epoch).not.toBe(epoch);
    hub.hub.sessionEnds();
    expect(placeIfEndedNow().epoch).toBe(epoch);
    await hub.stop();
  });

  it("a start without the data file's WAL is reported in health [DB-19]", async () => {
    const { dbPath, url } = await killedFile();
    rmSync(`${dbPath}-wal`);
    const after = await startHubProgram(hubEnv(dbPath, url));
    expect(await after.health()).toMatchObject({ status: "degraded", reasons: expect.arrayContaining(["data_file"]) });
    expect((await after.health()).orders).toBeGreaterThanOrEqual(200);
    await after.end("SIGTERM");
  });

  it("a flipped bit in the WAL before other commits is reported in health [DB-19]", async () => {
    const { dbPath, url } = await killedFile();
    for (const offset of [8, 17, 32 + 30, 32 + 4120 + 500]) {
      const copy = path.join(tempFolder(), "hub.sqlite");
      copyFileSync(dbPath, copy);
      const wal = readFileSync(`${dbPath}-wal`);
      wal[offset] = (wal[offset] ?? 0) ^ 4;
      writeFileSync(`${copy}-wal`, wal);
      const after = await startHubProgram(hubEnv(copy, url));
      expect((await after.health()).reasons, `byte ${offset}`).toContain("data_file");
      await after.end("SIGTERM");
    }
  });

  it("an older copy in place of the data file is reported in health [DB-19]", async () => {
    const { dbPath, token, url } = await filledFile();
    const older = readFileSync(dbPath);
    const program = await startHubProgram(hubEnv(dbPath, url));
    const till = await program.terminal(token, "till");
    await till.change(order("LATER"));
    await program.end("SIGTERM");
    writeFileSync(dbPath, older);
    const after = await startHubProgram(hubEnv(dbPath, url));
    expect((await after.health()).reasons).toContain("data_file");
    const { hubId, epoch } = till.hello;
    const back = await after.terminal(token, "till", { since: { hubId, epoch, seq: till.sync.seq } });
    expect(back.sync.mode).toBe("full");
    await after.end("SIGTERM");
  });

  it.each([
    ["emptied", () => 0],
    ["cut off", (bytes: number) => Math.floor(bytes / 2)],
  ])("a WAL that was %s is reported in health from the start [DB-19]", async (_, length) => {
    const { dbPath, url, walBytes } = await killedFile();
    truncateSync(`${dbPath}-wal`, length(walBytes));
    const after = await startHubProgram(hubEnv(dbPath, url));
    expect((await after.health()).reasons).toContain("data_file");
    await after.end("SIGTERM");
  });

  it("a WAL that ends in the middle of a commit does not count as damaged [DB-19]", async () => {
    const { dbPath, walBytes } = await killedFile();
    expect(walLosesCommits(`${dbPath}-wal`)).toBe(false);
    for (const cut of [1, 100, 4096, 4120 + 7]) {
      truncateSync(`${dbPath}-wal`, walBytes - cut);
      expect(walLosesCommits(`${dbPath}-wal`)).toBe(false);
    }
  });

  it("a terminal that has seen more proves that the data file lost changes [DB-21]", async () => {
    const { dbPath, token, url, since } = await killedFile();
    // The tail of the WAL never reached the disk, as with a disk that lies about syncing.
    truncateSync(`${dbPath}-wal`, 32 + 4120);
    // Without the `.last-seen` file nothing records that these changes existed.
    rmSync(`${dbPath}.last-seen`);
    const after = await startHubProgram(hubEnv(dbPath, url));
    expect((await after.health()).reasons).not.toContain("data_file");
    const till = await after.terminal(token, "till", { since });
    expect(till.sync.mode).toBe("full");
    expect((await after.health()).reasons).toContain("data_file");
    await after.end("SIGTERM");
  });

  it("proof of loss within the current epoch gives a new epoch [DB-21]", async () => {
    const hub = await startTestHub();
    const first = await hub.terminal({ deviceId: "first" });
    await first.change(order("A"));
    const { hubId, epoch } = first.hello;
    const url = `ws://127.0.0.1:${hub.port}/`;
    const auth = { type: "AUTH", token: await hub.signIn("waiter"), deviceId: "second" };
    const since = signCursor(hub.dbPath, { hubId, epoch, seq: 500 });
    const second = await connectTerminal(url, { ...auth, since });
    expect(second.hello.epoch).not.toBe(epoch);
    expect(second.sync).toMatchObject({ mode: "full", epoch: second.hello.epoch });
    expect((await hub.send("GET", "/health")).body.reasons).toContain("data_file");
    expect((await operatorOf(hub)("dataFile")).body.doubts).toMatchObject([{ kind: "lost_changes" }]);
    const third = await connectTerminal(url, { ...auth, deviceId: "third", since: { hubId, epoch, seq: 1 } });
    expect(third.sync.mode).toBe("full");
    for (const each of [second, third]) each.close();
  });
});

describe("a cursor as proof ", () => {
  const connectSince = (hub: TestHub, deviceId: string, since: unknown, login = "waiter") =>
    hub.signIn(login).then(async (token) => {
      const url = `ws://127.0.0.1:${hub.port}/`;
      const terminal = await connectTerminal(url, { type: "AUTH", token, deviceId, since });
      onTestFinished(terminal.close);
      return terminal;
    });

  it("a cursor that this hub has not signed proves no loss [DB-70, TERM-130]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ deviceId: "till" });
    await till.change(order("A"));
    const { hubId, epoch, seq, signature } = { ...till.hello, ...(await till.next("ORDER_CHANGED")) };
    const place = { hubId, epoch, seq, signature };
    expect(place).toEqual(signCursor(hub.dbPath, { hubId, epoch, seq: 1 }));
    const stranger = await startTestHub();
    const forged = [
      { ...place, seq: 500 },
      { ...place, seq: 500, signature: undefined },
      { ...place, seq: 500, signature: "made-up" },
      { ...signCursor(stranger.dbPath, { ...place, seq: 500 }) },
      { ...place, epoch: "another" },
    ];
    for (const since of forged)
      expect((await connectSince(hub, "forger", since)).sync).toMatchObject({ mode: "full", epoch });
    // For a cursor that the hub knows, a delta is sent whether its signature is valid or not.
    for (const since of [place, { ...place, signature: "made-up" }]) {
      expect((await connectSince(hub, "forger", since)).sync).toMatchObject({
        mode: "delta",
        seq: 1,
        signature,
        orders: [],
      });
    }
    expect((await hub.send("GET", "/health")).body.reasons).toEqual([]);
    expect((await operatorOf(hub)("losses")).body.restores).toEqual([]);
  });

  it("a cursor of a refused device proves nothing, and one in RESYNC proves a loss as in AUTH [DB-71]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { hubId, epoch } = till.hello;
    const since = signCursor(hub.dbPath, { hubId, epoch, seq: 500 });
    await expect(connectSince(hub, "till", since)).rejects.toThrow("4403");
    expect((await hub.send("GET", "/health")).body.reasons).toEqual([]);
    till.send({ type: "RESYNC", since });
    const sync = await till.next("SYNC");
    expect(sync.epoch).not.toBe(epoch);
    expect((await hub.send("GET", "/health")).body.reasons).toEqual(["data_file"]);
  });

  it("a loss is proven once across restarts, and at most once a minute [DB-71]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ deviceId: "till" });
    const { hubId, epoch } = till.hello;
    const lost = signCursor(hub.dbPath, { hubId, epoch, seq: 500 });
    const { sync } = await connectSince(hub, "one", lost);
    await connectSince(hub, "two", { ...signCursor(hub.dbPath, { hubId, epoch, seq: 900 }) });
    const again = signCursor(hub.dbPath, { hubId, epoch: sync.epoch, seq: 500 });
    expect((await connectSince(hub, "one", again)).sync).toMatchObject({ mode: "full", epoch: sync.epoch });
    await hub.restart();
    await connectSince(hub, "two", lost);
    expect((await operatorOf(hub)("losses")).body.restores).toHaveLength(1);
    expect((await hub.send("GET", "/health")).body.reasons).not.toContain("data_file");
  });
});

describe("restoring", () => {
  it("a restore that cannot rename a file puts all files back and finishes at the next start [DB-22]", async () => {
    const { dbPath } = await killedFile();
    const backup = backUp(dbPath);
    const aside = `${dbPath}.replaced-x`;
    mkdirSync(`${aside}-wal/taken`, { recursive: true });
    const before = [readFileSync(dbPath), readFileSync(`${dbPath}-wal`)];
    stageRestore(dbPath, { backup, aside, by: "manager" });
    const { code, stderr } = await runHubToEnd(hubEnv(dbPath));
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("restore --cancel");
    expect([readFileSync(dbPath), readFileSync(`${dbPath}-wal`)]).toEqual(before);
    rmSync(`${aside}-wal`, { recursive: true });
    const { restore, close } = openDataFile({ file: dbPath, backupDir: path.dirname(backup), world });
    expect(restore).toMatchObject({ done: { backup } });
    close();
    expect(readFileSync(aside).equals(before[0] ?? Buffer.alloc(0))).toBe(true);
  });

  it("an unfinished restore is cancelled by `restore --cancel` [DB-22]", async () => {
    const { dbPath } = await filledFile();
    const backup = backUp(dbPath);
    const aside = `${dbPath}.replaced-x`;
    mkdirSync(`${aside}/taken`, { recursive: true });
    copyFileSync(backup, `${dbPath}.next`);
    writeFileSync(`${dbPath}-wal`, "");
    stageRestore(dbPath, { backup, aside: path.join(path.dirname(dbPath), "no", "such", "folder"), by: "manager" });
    expect(openingFails(dbPath)).toMatchObject({ code: "restore_unfinished" });
    expect(command(dbPath, "restore", "--cancel")).toMatchObject({
      status: 0,
      stdout: "The restore was cancelled.\n",
    });
    expect(openingFails(dbPath)).toBeNull();
    expect(countRows(dbPath, "orders")).toBe(200);
  });

  it("a restore waits for a file that another program locks for a moment [DB-22]", () => {
    const dir = tempFolder();
    for (const name of ["a", "b"]) writeFileSync(path.join(dir, name), name);
    const moves = ["a", "b"].map((name) => ({ from: path.join(dir, name), to: path.join(dir, `${name}.aside`) }));
    let refusals = 3;
    moveFiles(moves, (from, to) => {
      if (from.endsWith("b") && refusals > 0) {
        refusals -= 1;
        throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
      }
      renameSync(from, to);
    });
    expect(readdirSync(dir)).toEqual(["a.aside", "b.aside"]);
  });

  it("neither a second hub nor a restore runs beside a running hub, even if its files are renamed [DB-23]", async () => {
    const { dbPath, url } = await filledFile();
    const backup = backUp(dbPath);
    const running = await startHubProgram(hubEnv(dbPath, url));
    stageRestore(dbPath, { backup, aside: `${dbPath}.replaced-x`, by: "manager" });
    const second = await runHubToEnd(hubEnv(dbPath));
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("in use");
    renameSync(dbPath, `${dbPath}.moved`);
    expect((await runHubToEnd(hubEnv(dbPath))).stderr).toContain("in use");
    expect(command(dbPath, "restore", backup)).toMatchObject({ status: 75 });
    expect(command(dbPath, "restore", "--cancel")).toMatchObject({ status: 75 });
    renameSync(`${dbPath}.moved`, dbPath);
    await running.end("SIGKILL");
    expect(openingFails(dbPath)).toBeNull();
  });

  it("the backup with the later content counts as the newer one, whatever its time [DB-24]", async () => {
    const { dbPath } = await filledFile();
    const backupDir = path.join(path.dirname(dbPath), "backups");
    const { db, close } = openDataFile({ file: dbPath, backupDir, world });
    const makeAt = (iso: string) =>
      finishAsync(makeBackup({ file: dbPath, dir: backupDir, kind: "manual", at: Date.parse(iso) }));
    const older = await makeAt("2100-01-01T00:00:00Z");
    db.prepare("UPDATE hub_state SET seq = seq + 1").run();
    const newer = await makeAt("2026-11-20T00:00:00Z");
    close();
    utimesSync(older.path, new Date(), new Date());
    utimesSync(newer.path, 0, 0);
    expect(listBackups(backupDir).map(({ name }) => name)).toEqual([newer.name, older.name]);
    // A backup made after restoring an old one counts as the newest, although it holds fewer changes.
    stageRestore(dbPath, { backup: older.path, aside: `${dbPath}.replaced-x`, by: "manager" });
    const restored = openDataFile({ file: dbPath, backupDir, world });
    const newest = await makeAt("2026-11-19T00:00:00Z");
    restored.close();
    expect(listBackups(backupDir)[0]?.name).toBe(newest.name);
  });
});

describe("damage while the hub runs", () => {
  /** A cleanly closed data file too large for a full check at start, with a zeroed page that a start does not read. */
  async function largeDamagedFile(table: string) {
    const { dbPath, token, url } = await filledFile();
    growLarge(dbPath);
    zeroRootPage(dbPath, table);
    return { dbPath, token, url };
  }

  it("damage found while the hub runs is reported, and the next start sets the file aside [DB-25, HUB-14]", async () => {
    const { dbPath, url } = await largeDamagedFile("ended_sessions");
    const backup = backUp((await filledFile()).dbPath);
    mkdirSync(path.join(path.dirname(dbPath), "backups"), { recursive: true });
    copyFileSync(backup, path.join(path.dirname(dbPath), "backups", path.basename(backup)));
    const program = await startHubProgram(hubEnv(dbPath, url));
    await fetch(`${program.url}/operator/v1/me`, { headers: { authorization: "Bearer anything" } });
    await until("the damage is told", async () => (await program.health()).reasons.includes("data_file"));
    await program.end("SIGTERM");
    const { code, stderr } = await runHubToEnd(hubEnv(dbPath, url));
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("is damaged and was set aside");
    expect(leftovers(dbPath).filter((name) => name.includes(".damaged-")).length).toBeGreaterThan(0);
  });

  it("the health report works on a damaged file and names the damage [DB-25]", async () => {
    const { dbPath, token, url } = await largeDamagedFile("fiscal_request_by_state");
    const program = await startHubProgram(hubEnv(dbPath, url));
    const answer = await fetch(`${program.url}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: "degraded", reasons: expect.arrayContaining(["data_file"]) });
    const till = await program.terminal(token, "till");
    expect(await till.change(order("A"))).toMatchObject({ posReference: "A", version: 1 });
    const overview = await fetch(`${program.url}/operator/v1/overview`);
    expect(await overview.json()).toMatchObject({ status: "degraded", dataFile: { ok: false, doubts: ["corrupt"] } });
    await program.end("SIGKILL");
  });

  it("damage met while the hub is built gives one sentence on standard error [DB-25, HUB-14]", async () => {
    const { dbPath, url } = await largeDamagedFile("remembered");
    const { code, stderr } = await runHubToEnd({ ...hubEnv(dbPath, url), HUB_LOG_LEVEL: "fatal" });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("is damaged and was set aside");
  });

  it("damage is found by the check that follows each start [DB-26]", async () => {
    const { dbPath, url } = await largeDamagedFile("removed_orders");
    const program = await startHubProgram(hubEnv(dbPath, url));
    const isReported = async () => (await program.health()).reasons.includes("data_file");
    await until("the check has found it", isReported, 40_000);
    await program.end("SIGKILL");
  });

  it.each([
    ["an order version", "UPDATE order_versions SET body = replace(body, '50', '51') WHERE id = 7"],
    ["an order's status", "UPDATE orders SET status = 'closed', is_active = 0 WHERE pos_reference = 'F3'"],
    ["whether an order is open", "UPDATE orders SET is_active = 1 - is_active WHERE pos_reference = 'F3'"],
    ["a payment kept aside", "UPDATE unapplied_payments SET body = replace(body, '777', '377')"],
    ["a payment's settling", "UPDATE unapplied_payments SET settled_at = 5"],
    ["when an event was queued", "UPDATE hub_events SET created_at = created_at + 1"],
  ])("damage in %s is found by the check of the data file [DB-26, DB-28]", async (_, damage) => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    for (let i = 0; i < 10; i += 1) await till.change(order(`F${i}`));
    const pay = { type: "ORDER_PAY", payments: [{ methodId: 1, amount: 777 }] };
    await till.change({ ...pay, posReference: "F1", baseVersion: 1 });
    await till.change({ ...pay, posReference: "F2", baseVersion: 9 }).catch(() => undefined);
    await until("it is forwarded", async () => (await hub.send("GET", "/health")).body.pendingForward === 0);
    await hub.hub.stop();
    expect(verifyBackup(hub.dbPath)).toEqual({ ok: true, detail: "ok" });
    const file = new Database(hub.dbPath);
    expect(file.prepare(damage).run().changes).toBeGreaterThan(0);
    file.close();
    expect(verifyBackup(hub.dbPath)).toMatchObject({ ok: false, detail: expect.stringContaining("damaged") });
    await hub.restart();
    const call = operatorOf(hub);
    expect((await call("checkDataFile")).body).toMatchObject({
      check: { ok: false },
      doubts: [{ kind: "damaged_records" }],
    });
    expect((await hub.send("GET", "/health")).body.reasons).toContain("data_file");
  });

  it("a start removes the partial backups of its own hub and abandoned ones [DB-29]", async () => {
    const { dbPath } = await filledFile();
    const backups = path.join(path.dirname(dbPath), "backups");
    mkdirSync(backups);
    const daily = "hub-daily-2026-11-01T03-00-00-000Z.sqlite";
    expect(openingFails(dbPath)).toBeNull();
    const own = readLastSeen(dbPath)?.hubId.slice(0, 8);
    const before = "hub-before-7-2026-11-01T03-00-00-000Z.sqlite";
    const parts = (...tags: string[]) => tags.flatMap((tag) => [`${daily}${tag}.part`, `${daily}.zst${tag}.part`]);
    const leftover = [
      ...parts("", `.${own}`),
      `${daily}.${own}.part-journal`,
      `${before}.part`,
      `${before}.${own}.part`,
    ];
    const [abandoned, otherHubParts] = [parts(".0a1b2c3d"), parts(".4e5f6a7b")];
    for (const name of [...leftover, ...abandoned, ...otherHubParts, "notes.txt"])
      writeFileSync(path.join(backups, name), "x");
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    for (const name of abandoned) utimesSync(path.join(backups, name), twoHoursAgo, twoHoursAgo);
    expect(openingFails(dbPath)).toBeNull();
    // These partial files belong to another hub that shares the folder.
    expect(readdirSync(backups).toSorted()).toEqual([...otherHubParts, "notes.txt"]);
  });

  it("a data file opens although partial backups cannot be removed [DB-29]", async () => {
    const { dbPath } = await filledFile();
    const backups = path.join(path.dirname(dbPath), "backups");
    if (!smallDisk(backups).isReal) return;
    writeFileSync(path.join(backups, "hub-daily-2026-11-01T03-00-00-000Z.sqlite.part"), "x");
    spawnSync("mount", ["-o", "remount,ro", backups]);
    expect(openingFails(dbPath)).toBeNull();
  });

  it("a start removes the unpacked copy of a compressed backup left by a kill [DB-29]", async () => {
    const { dbPath } = await filledFile();
    expect(openingFails(dbPath)).toBeNull();
    const backups = path.join(path.dirname(dbPath), "backups");
    const backup = await finishAsync(makeBackup({ file: dbPath, dir: backups, kind: "manual", at: Date.now() }));
    const place = placeOf(backup.path);
    if (place === null) throw new Error("the backup cannot be read");
    finish(compressBackup(backup.path, place, dbPath));
    const reading = verifyStepByStep(backup.path);
    while (readdirSync(backups).length === 1) reading.next();
    // Simulates a kill: the remaining steps never run.
    expect(openingFails(dbPath)).toBeNull();
    expect(readdirSync(backups)).toEqual([`${backup.name}.zst`]);
    expect(reading.return({ ok: false, detail: "" }).done).toBe(true);
  });
});

describe("the WAL ", () => {
  it("the WAL is copied into the data file once nothing is written for a moment [DB-17]", async () => {
    const { dbPath, token, url } = await filledFile();
    const program = await startHubProgram(hubEnv(dbPath, url));
    const till = await program.terminal(token, "till");
    await till.change(order("K"));
    await until("the log is empty", () => statSync(`${dbPath}-wal`).size === 0);
    rmSync(`${dbPath}-wal`);
    await program.end("SIGKILL");
    const after = await startHubProgram(hubEnv(dbPath, url));
    expect((await after.health()).orders).toBe(201);
    await after.end("SIGTERM");
  });
});
