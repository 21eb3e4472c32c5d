import { copyFileSync, existsSync, statSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { checkAll } from "../../db/integrity/check.ts";
import { findLostOrders } from "../../db/restore/lost-orders.ts";
import { createDataFile } from "../../db/migrate.ts";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { createVersionChains } from "../../db/rows/version-chains.ts";
import { createTicketStore } from "../../kitchen/ticket-store.ts";
import { listOrdersJob } from "../../orders/lists/list-orders-job.ts";
import { realWorld } from "../../platform/world.ts";
import { createFreePages } from "../../retention/free-pages.ts";
import { tidyOffline } from "../support/tidy-offline.ts";
import { agedFile, kindsOfLife, openFile } from "./aged-file.ts";
import { tempFolder, hubEnv } from "../support/data/data-files.ts";
import { type HubProgram, startHubProgram } from "../support/start-hub-program.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));
const days = { historyDays: 60, retentionDays: 400 };

/** Packs, thins and removes orders in a closed data file. */
function tidy(dbPath: string): void {
  const db = openFile(dbPath);
  tidyOffline(db, world, days);
  db.close();
}

/** Returns the version kinds of each order, reading every body. Works on a copy to leave the file's WAL unchanged. */
function livesIn(dbPath: string): Map<string, string[]> {
  const copy = path.join(tempFolder(), "copy.sqlite");
  for (const suffix of ["", "-wal"]) if (existsSync(dbPath + suffix)) copyFileSync(dbPath + suffix, copy + suffix);
  const db = openFile(copy);
  expect(checkAll(db)).toMatchObject({ ok: true });
  const chains = createVersionChains(db);
  const tickets = createTicketStore(db);
  const lives = db
    .prepare<[], { ref: string; id: number }>("SELECT pos_reference AS ref, body_id AS id FROM orders")
    .all()
    .map(({ ref, id }): [string, string[]] => {
      const versions = chains.all(id);
      expect(tickets.listByOrder(ref).tickets).toHaveLength(1);
      for (const { body, checksum } of versions) {
        expect(crc32(body)).toBe(checksum);
        expect(JSON.parse(body)).toMatchObject({ posReference: ref });
      }
      return [ref, versions.map((version) => version.kind)];
    });
  db.close();
  return new Map(lives);
}

const clockModule = path.resolve(import.meta.dirname, "../../../e2e/support/movable-clock.ts");

/** Starts a hub that tidies up at once: its clocks skip the 10 s that it waits after a start. */
async function startTidying(dbPath: string, url: string): Promise<HubProgram> {
  const program = await startHubProgram({ ...hubEnv(dbPath, url), NODE_OPTIONS: `--import ${clockModule}` });
  await until("its background work to begin", async () => (await program.health()).lastErpSync !== null);
  program.child.kill("SIGUSR2");
  return program;
}

const thinnedLife = ["created", "sent", "paid", "closed"];

function flipBit(dbPath: string, column: string, posReference: string): void {
  const db = openFile(dbPath);
  const where = `WHERE pos_reference = '${posReference}' AND ${column} IS NOT NULL`;
  const blob = db.prepare<[], Buffer>(`SELECT ${column} FROM order_versions ${where}`).pluck().get();
  if (blob === undefined) throw new Error("there is no such pack");
  const middle = Math.floor(blob.length / 2);
  blob.writeUInt8(blob.readUInt8(middle) ^ 4, middle);
  db.prepare(`UPDATE order_versions SET ${column} = ? ${where}`).run(blob);
  db.close();
}

describe("packed versions", () => {
  it("packed versions take less than a twelfth of the space [KEEP-2]", async () => {
    const { dbPath } = await agedFile({ 2: 50 });
    const db = openFile(dbPath);
    // Ten lines with unique ids, in a dozen versions.
    const versions = Array.from({ length: 12 }, (_, v) => {
      const lines = Array.from({ length: Math.min(10, v + 1) }, (_, n) => ({
        id: `${crc32(`line ${n}`)}-${crc32(`id ${n}`)}-${crc32(`rest ${n}`)}`,
        name: `Mofongo de camarones ${n}`,
        quantity: 1 + (n % 3),
        unitPrice: 50 + n * 25,
        total: (1 + (n % 3)) * (50 + n * 25),
        taxIds: [1],
        state: v > n + 1 ? "sent" : "new",
        note: "",
      }));
      return { version: v + 1, updatedAt: new Date(v * 60_000).toISOString(), lines, totals: { total: v } };
    });
    const chain = "SELECT body_id AS id FROM orders WHERE pos_reference = 'D2-0'";
    const id = Number(db.prepare(chain).pluck().get());
    let previous: number | null = null;
    db.exec("DELETE FROM order_versions WHERE pos_reference = 'D2-0'");
    for (const [index, each] of versions.entries()) {
      const body = JSON.stringify({ posReference: "D2-0", snapshot: each });
      const rowId: number | null = index === versions.length - 1 ? id : null;
      previous = Number(
        db
          .prepare(
            `INSERT INTO order_versions (id, pos_reference, version, origin, kind, is_content, at, write_seq, body, checksum, previous_id)
             VALUES (?, 'D2-0', ?, 't', 'edited', 1, 1, ?, ?, ?, ?)`,
          )
          .run(rowId, index + 1, index + 1, body, crc32(body), previous).lastInsertRowid,
      );
    }
    const bytes =
      "SELECT sum(length(body) + coalesce(length(packed), 0) + coalesce(length(earlier), 0)) FROM order_versions WHERE pos_reference = 'D2-0'";
    const before = Number(db.prepare(bytes).pluck().get());
    tidyOffline(db, world, days);
    expect(createVersionChains(db).all(id)).toHaveLength(12);
    expect(Number(db.prepare(bytes).pluck().get())).toBeLessThan(before / 12);
    db.close();
  });

  it("a list of all orders that began before they were packed is complete [KEEP-24]", async () => {
    const { dbPath } = await agedFile({ 100: 3 });
    const work = listOrdersJob.work({ file: dbPath });
    // The job has listed the rows, but has not read any order.
    expect(await work.next()).toMatchObject({ done: false, value: undefined });
    tidy(dbPath);
    let text = "";
    for (let step = await work.next(); step.done !== true; step = await work.next()) text += step.value ?? "";
    const { orders } = JSON.parse(text) as { orders: { posReference: string }[] };
    expect(orders.map(({ posReference }) => posReference)).toEqual(["D100-2", "D100-1", "D100-0"]);
  });

  it.each(["packed", "earlier"])(
    "a packed order damaged in %s is reported, and the others are answered [KEEP-12]",
    async (column) => {
      const { dbPath, hub } = await agedFile({ 2: 3 });
      tidy(dbPath);
      flipBit(dbPath, column, "D2-1");
      const db = openFile(dbPath);
      expect(checkAll(db)).toMatchObject({ ok: false, detail: "1 stored records are damaged: 1 of order_versions" });
      db.close();
      await hub.restart(() => copyFileSync(dbPath, hub.dbPath));
      const listed = (await hub.external().get("/orders?status=all")).body.orders.map(
        (order: { posReference: string }) => order.posReference,
      );
      expect(listed).toEqual(expect.arrayContaining(["D2-0", "D2-2"]));
      expect((await hub.external().get("/orders/D2-0")).status).toBe(200);
      const manager = { headers: { Authorization: `Bearer ${await hub.signIn("manager")}` } };
      expect((await hub.send("GET", "/operator/v1/orders/D2-1/versions", manager)).status).toBe(500);
      const other = await hub.send("GET", "/operator/v1/orders/D2-2/versions", manager);
      expect(other.body.versions).toHaveLength(kindsOfLife.length);
      expect((await hub.send("GET", "/health")).body.reasons).toContain("data_file");
    },
  );

  it("a restore finds the same lost orders, packed or not [KEEP-13]", async () => {
    const { dbPath } = await agedFile({ 2: 3, 100: 3 });
    for (const [isRestoredPacked, isFormerPacked] of [
      [true, false],
      [false, true],
      [true, true],
    ]) {
      const [restored, former] = [path.join(tempFolder(), "restored.sqlite"), path.join(tempFolder(), "former.sqlite")];
      copyFileSync(dbPath, restored);
      copyFileSync(dbPath, former);
      if (isRestoredPacked === true) tidy(restored);
      if (isFormerPacked === true) tidy(former);
      const [one, other] = [openFile(restored), openFile(former)];
      expect(findLostOrders(one, other)).toMatchObject({ lost: [], isWhole: true });
      other.exec("UPDATE orders SET seq = seq + 1000");
      expect(findLostOrders(one, other)).toMatchObject({ lost: [], isWhole: true });
      one.exec("DELETE FROM orders WHERE pos_reference = 'D2-1'");
      const { lost } = findLostOrders(one, other);
      expect(lost).toMatchObject([{ kind: "order_paid", posReference: "D2-1", version: 7 }]);
      expect(JSON.parse(lost[0]?.body ?? "")).toMatchObject({ posReference: "D2-1" });
      one.close();
      other.close();
    }
  });

  it("a restored backup shows packed orders and lists those that it lacks [KEEP-13]", async () => {
    const { dbPath, hub } = await agedFile({ 2: 2 });
    tidy(dbPath);
    const backup = path.join(tempFolder(), "hub-daily-2026-11-20T00-00-00-000Z.sqlite");
    copyFileSync(dbPath, backup);
    const file = openFile(backup);
    file.exec("DELETE FROM orders WHERE pos_reference = 'D2-1'");
    file.close();
    await hub.hub.stop();
    copyFileSync(dbPath, hub.dbPath);
    restoreNow({ dbPath: hub.dbPath, backupDir: path.dirname(backup) }, backup, "test", world);
    await hub.restart();
    const manager = { headers: { Authorization: `Bearer ${await hub.signIn("manager")}` } };
    const { versions } = (await hub.send("GET", "/operator/v1/orders/D2-0/versions", manager)).body;
    expect(versions.map((each: { kind: string }) => each.kind)).toEqual(kindsOfLife);
    const { losses } = (await hub.send("GET", "/operator/v1/losses", manager)).body;
    expect(losses).toMatchObject([{ posReference: "D2-1", kind: "order_paid" }]);
  });
});

describe("killed hubs", { tags: "long" }, () => {
  it(
    "a hub that is killed while it packs, thins and removes loses nothing and keeps serving [KEEP-11]",
    { timeout: 180_000 },
    async () => {
      const { dbPath, hub } = await agedFile({ 500: 200, 100: 200, 2: 200 });
      const count = (where: string): number => {
        const db = new Database(dbPath, { readonly: true });
        try {
          return Number(db.prepare(`SELECT count(*) FROM orders WHERE ${where}`).pluck().get());
        } finally {
          db.close();
        }
      };
      const old = "pos_reference LIKE 'D500-%'";
      const moments = [() => count(old) < 150, () => count("packing IN (2, 4)") > 50, () => count("packing = 1") > 50];
      for (const isMoment of moments) {
        const program = await startTidying(dbPath, hub.backOffice.url);
        await until("the moment", isMoment, 60_000);
        await program.end("SIGKILL");
        const lives = livesIn(dbPath);
        for (const [ref, life] of lives) {
          if (ref.startsWith("D2-")) expect(life).toEqual(kindsOfLife);
          else expect([kindsOfLife, thinnedLife]).toContainEqual(life);
        }
        expect([...lives.keys()].filter((ref) => !ref.startsWith("D500-"))).toHaveLength(400);
      }
      const program = await startTidying(dbPath, hub.backOffice.url);
      await until("the end", () => count("packing = 0") === 0 && count(old) === 0, 60_000);
      expect((await program.health()).reasons).not.toContain("data_file");
      await program.end("SIGTERM");
      const lives = livesIn(dbPath);
      expect(lives.size).toBe(400);
      for (const [ref, life] of lives) expect(life).toEqual(ref.startsWith("D100-") ? thinnedLife : kindsOfLife);
      const db = openFile(dbPath);
      expect(db.prepare("SELECT count(*) FROM order_versions").pluck().get()).toBe(400);
      db.close();
    },
  );
});

describe("free space", () => {
  it("free pages are returned a few at a time [KEEP-16]", () => {
    const file = path.join(tempFolder(), "hub.sqlite");
    createDataFile(file, world);
    const db = openFile(file);
    db.exec(
      "CREATE TABLE much (x); INSERT INTO much WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT randomblob(3000) FROM n",
    );
    db.exec("DROP TABLE much");
    const free = () => Number(db.pragma("freelist_count", { simple: true }));
    const { giveBackSome } = createFreePages(db);
    const most = free();
    expect(most).toBeGreaterThan(2_000);
    let before = most;
    while (db.transaction(giveBackSome)()) {
      expect(before - free()).toBeGreaterThan(0);
      expect(before - free()).toBeLessThanOrEqual(64);
      before = free();
    }
    expect(free()).toBeLessThan(1_000);
    db.close();
    expect(statSync(file).size).toBeLessThan(1_400 * 4_096);
  });
});
