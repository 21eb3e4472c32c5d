import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createHub } from "@comanda/hub/hub.ts";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { readHubConfig } from "@comanda/hub/settings/config.ts";
import { createBackupChoices } from "./backup-choices.ts";

const [older, newer] = ["hub-daily-2026-01-04T08-00-00-000Z.sqlite", "hub-manual-2026-01-05T18-30-00-000Z.sqlite"];

/** Creates a data folder with a data file made by a hub, and two copies of it. */
async function dataFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "choices-"));
  const config = readHubConfig({
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
    HUB_HTTP_PORT: "0",
    HUB_HOST: "127.0.0.1",
    HUB_MDNS_ENABLED: "false",
    ERP_URL: "http://127.0.0.1:9",
  });
  const hub = createHub(config, realWorld(createLog("silent")));
  await hub.start();
  await hub.stop();
  mkdirSync(config.backupDir, { recursive: true });
  for (const name of [older, newer]) copyFileSync(config.dbPath, path.join(config.backupDir, name));
  return { folder, config, choices: createBackupChoices(() => config) };
}

it("backups are listed with their times, the newest good one, and the number of changes missing in it [DESK-71]", async () => {
  const { config, choices } = await dataFolder();
  writeFileSync(path.join(config.backupDir, newer), "not a database");
  const note = `${config.dbPath}.last-seen`;
  const seen = JSON.parse(readFileSync(note, "utf8")) as { seq: number };
  writeFileSync(note, JSON.stringify({ ...seen, seq: seen.seq + 12 }));

  const { backups, newestGood } = choices.list();
  expect(newestGood).toBe(path.join(config.backupDir, older));
  expect(backups.find(({ path: file }) => file === newestGood)).toMatchObject({
    madeAt: "2026-01-04T08:00:00.000Z",
    kind: "daily",
    changesAfter: 12,
  });
  expect(backups.find(({ path: file }) => file !== newestGood)).toMatchObject({ kind: "manual", changesAfter: null });
});

it("backups are found in a chosen folder or in that of a chosen data folder, and no others are offered [DESK-71]", async () => {
  const { folder, config, choices } = await dataFolder();
  expect(choices.isOffered(path.join(config.backupDir, older))).toBe(false);
  expect(
    choices
      .listInFolder(folder)
      .map(({ path: file }) => path.basename(file))
      .sort(),
  ).toEqual([older, newer]);
  expect(choices.isOffered(path.join(config.backupDir, older))).toBe(true);
  expect(choices.isOffered(config.dbPath)).toBe(false);
  expect(choices.describeFile(config.dbPath)).toMatchObject({ path: config.dbPath, kind: "other", changesAfter: 0 });
  expect(choices.isOffered(config.dbPath)).toBe(true);
  expect(choices.listInFolder(mkdtempSync(path.join(tmpdir(), "none-")))).toEqual([]);
});

it("no changes are counted between the data file and a backup of another hub [DESK-71]", async () => {
  const { config, choices } = await dataFolder();
  const other = await dataFolder();
  expect(choices.describeFile(config.dbPath)).toMatchObject({ changesAfter: 0 });
  expect(choices.describeFile(other.config.dbPath)).toMatchObject({ changesAfter: null });
});
