import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newestVerifiedBackup } from "@comanda/hub/db/backups/verify-backup.ts";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { createDesktopHub } from "./desktop-hub.ts";
import { createSettingsStore } from "../settings/settings.ts";

const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.from(text),
  decryptString: (bytes: Buffer) => bytes.toString(),
};

/** Creates the app's hub, with its data file in this folder. */
function openHub(folder: string, more: Record<string, string> = {}) {
  const env = { HUB_HTTP_PORT: "0", HUB_HOST: "127.0.0.1", HUB_MDNS_ENABLED: "false", ...more };
  const settings = createSettingsStore({ folder, safeStorage, env, systemLanguage: "en", countBackups: () => 0 });
  const hub = createDesktopHub(settings, realWorld(createLog("silent")), { rendererDir: folder, terminalDir: folder });
  onTestFinished(() => hub.stop());
  return hub;
}

it("nothing is replaced while any process holds the data file, whatever failure the page shows [DESK-66]", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "desktop-hub-"));
  const first = openHub(folder);
  expect(await first.start()).toMatchObject({ state: "running" });
  await expect
    .poll(() => newestVerifiedBackup(first.config().backupDir, first.config().dbPath), { timeout: 20_000 })
    .not.toBeNull();
  const before = readdirSync(folder).sort();

  const second = openHub(folder);
  expect(await second.start()).toMatchObject({ state: "failed", reason: "data_file_in_use", backupsFound: 1 });
  for (const replace of [second.restoreNewest, second.beginEmpty, second.cancelRestore]) {
    expect(replace).toThrow(/is in use by another program/);
  }
  expect(readdirSync(folder).sort()).toEqual(before);

  await first.stop();
  expect(await second.restart()).toMatchObject({ state: "running" });
  await second.stop();
  rmSync(folder, { recursive: true });
});

it("no hub starts on an empty file while the disk with its data file is missing [DESK-180]", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "desktop-hub-"));
  const disk = path.join(folder, "disk");
  const env = { HUB_DB_PATH: path.join(disk, "data", "hub.sqlite") };
  mkdirSync(path.dirname(env.HUB_DB_PATH), { recursive: true });
  const first = openHub(folder, env);
  expect(await first.start()).toMatchObject({ state: "running" });
  await first.stop();

  renameSync(disk, `${disk}.away`);
  const second = openHub(folder, env);
  expect(await second.start()).toMatchObject({ state: "failed", reason: "data_file_missing" });
  expect(existsSync(env.HUB_DB_PATH)).toBe(false);
  rmSync(disk, { recursive: true });
  // Like a missing drive: no folder can be created on it.
  writeFileSync(disk, "");
  expect(await second.start()).toMatchObject({ state: "failed", reason: "data_file_missing" });
  rmSync(disk);
  // Like a system's empty mount point: nothing can be written there.
  mkdirSync(`${env.HUB_DB_PATH}.lock`, { recursive: true });
  expect(await second.start()).toMatchObject({ state: "failed", reason: "data_file_missing" });
  rmSync(disk, { recursive: true });
  renameSync(`${disk}.away`, disk);
  expect(await second.start()).toMatchObject({ state: "running" });
  await second.stop();

  // Another place, chosen by a person, never had a data file.
  mkdirSync(path.join(folder, "other"));
  const other = openHub(folder, { HUB_DB_PATH: path.join(folder, "other", "hub.sqlite") });
  expect(await other.start()).toMatchObject({ state: "running" });
  await other.stop();
  rmSync(folder, { recursive: true });
});

it("the data file that the hub was started on is remembered, whatever is saved meanwhile [DESK-180]", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "desktop-hub-"));
  const env = { HUB_HTTP_PORT: "0", HUB_HOST: "127.0.0.1", HUB_MDNS_ENABLED: "false" };
  const settings = createSettingsStore({ folder, safeStorage, env, systemLanguage: "en", countBackups: () => 0 });
  const hub = createDesktopHub(settings, realWorld(createLog("silent")), { rendererDir: folder, terminalDir: folder });
  const starting = hub.start();
  await Promise.resolve();
  settings.saveValues({ HUB_DB_PATH: "other.sqlite" });
  expect(await starting).toMatchObject({ state: "running" });
  expect(settings.dataFile()).toBe(path.join(folder, "hub.sqlite"));
  await hub.stop();
  rmSync(folder, { recursive: true });
});
