// @module-tag long
import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { filledFile, growLarge, hubEnv, zeroRootPage } from "../support/data/data-files.ts";
import { runHubToEnd, startHubProgram } from "../support/start-hub-program.ts";
import { until } from "../support/until.ts";

/** A data file too large for a full check at start, whose hub was killed while an order was open. */
async function fileAfterPowerCut() {
  const { dbPath, token, url } = await filledFile();
  growLarge(dbPath);
  const program = await startHubProgram(hubEnv(dbPath, url));
  const till = await program.terminal(token, "till");
  await till.change({ type: "ORDER_UPSERT", posReference: "OPEN", baseVersion: 0, snapshot: terminalSnapshot() });
  await program.end("SIGKILL");
  // Moves the WAL into the file so that tests can damage it there. The file stays marked as not closed cleanly.
  const db = new Database(dbPath);
  db.pragma("wal_checkpoint(TRUNCATE)");
  return { dbPath, token, url, db };
}

describe("a start after a power cut, on a large file", () => {
  it("a large file opens at once after a power cut, and structural damage is found during service [DB-39]", async () => {
    const { dbPath, token, url, db } = await fileAfterPowerCut();
    db.close();
    zeroRootPage(dbPath, "ticket_counters");
    const program = await startHubProgram(hubEnv(dbPath, url));
    const till = await program.terminal(token, "till");
    const edit = { type: "ORDER_UPSERT", posReference: "OPEN", baseVersion: 1, snapshot: terminalSnapshot() };
    expect(await till.change(edit)).toMatchObject({ version: 2 });
    await until("it is told", async () => (await program.health()).reasons.includes("data_file"), 20_000);
    await program.end("SIGKILL");
    const { code, stderr } = await runHubToEnd(hubEnv(dbPath, url));
    expect(code).toBe(1);
    expect(stderr).toContain("is damaged and was set aside");
  });

  it("a hub does not start on a file whose open orders cannot be read [DB-39]", async () => {
    const { dbPath, url, db } = await fileAfterPowerCut();
    db.close();
    zeroRootPage(dbPath, "orders");
    expect((await runHubToEnd(hubEnv(dbPath, url))).stderr).toContain("is damaged and was set aside");
  });

  it.each([
    ["its content", "UPDATE order_versions SET body = replace(body, 'OPEN', 'OPEM') WHERE pos_reference = 'OPEN'"],
    ["its status", "UPDATE orders SET status = 'sent' WHERE pos_reference = 'OPEN'"],
  ])(
    "damage of an open order is reported from the start: %s [DB-39]",
    async (_, damage) => {
      const { dbPath, url, db } = await fileAfterPowerCut();
      expect(db.prepare(damage).run().changes).toBe(1);
      db.close();
      for (const suffix of ["-wal", "-shm"]) rmSync(dbPath + suffix, { force: true });
      const program = await startHubProgram(hubEnv(dbPath, url));
      expect((await program.health()).reasons).toContain("data_file");
      await program.end("SIGKILL");
    },
    60_000,
  );
});
