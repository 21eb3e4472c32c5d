import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newestVerifiedBackup } from "@comanda/hub/db/backups/verify-backup.ts";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { createDesktopHub } from "../hub/desktop-hub.ts";
import { createSettingsStore } from "../settings/settings.ts";
import { createRestoreOffer } from "./restore-offer.ts";

const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.from(text),
  decryptString: (bytes: Buffer) => bytes.toString(),
};

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "restore-offer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates an app with its hub, as on a separate PC. */
function openPc() {
  const folder = newFolder();
  const env = { HUB_HTTP_PORT: "0", HUB_HOST: "127.0.0.1", HUB_MDNS_ENABLED: "false" };
  const settings = createSettingsStore({ folder, safeStorage, env, systemLanguage: "en", countBackups: () => 0 });
  const hub = createDesktopHub(settings, realWorld(createLog("silent")), { rendererDir: folder, terminalDir: folder });
  onTestFinished(() => hub.stop());
  return { folder, settings, hub };
}

/** Makes a backup on another PC and puts it on a drive. */
async function backupOnDrive() {
  const old = openPc();
  await old.hub.start();
  const hubId = old.hub.running()?.pairing().hubId;
  const { backupDir: dir, dbPath } = old.hub.config();
  await expect.poll(() => newestVerifiedBackup(dir, dbPath), { timeout: 30_000 }).not.toBeNull();
  await old.hub.stop();
  const drive = newFolder();
  mkdirSync(path.join(drive, "backups"));
  for (const name of readdirSync(dir)) copyFileSync(path.join(dir, name), path.join(drive, "backups", name));
  return { drive, hubId };
}

it("backups are listed from a named place, and only listed ones are restored [REST-53]", async () => {
  const { drive, hubId } = await backupOnDrive();
  const { hub, settings } = openPc();
  await hub.start();
  const offer = createRestoreOffer({ hub, isConfigured: () => settings.state().configured });
  const found = await offer.find(drive);
  expect(found).toMatchObject({ ok: true, backups: [{ restaurant: null, orders: 0, bytes: expect.any(Number) }] });
  const file = found.ok ? (found.backups[0]?.path ?? "") : "";
  expect(path.dirname(file)).toBe(path.join(drive, "backups"));

  const damaged = path.join(newFolder(), path.basename(file));
  writeFileSync(damaged, "not a database");
  for (const [place, reason] of [
    [damaged, "damaged"],
    [newFolder(), "none"],
    [path.join(drive, "nothing-here"), "missing"],
  ] as const) {
    expect(await offer.find(place)).toMatchObject({ ok: false, reason });
  }
  expect(() => hub.restore(damaged)).toThrow("was not offered");
  expect(await hub.restartAround(() => hub.restore(file))).toMatchObject({ state: "running" });
  expect(hub.running()?.pairing().hubId).toBe(hubId);
});

it("nothing of the disk is shown after the first setup, unless the hub cannot start [REST-53]", async () => {
  const { drive } = await backupOnDrive();
  const { hub, folder } = openPc();
  await hub.start();
  const offer = createRestoreOffer({ hub, isConfigured: () => true });
  for (const place of [drive, path.join(drive, "nothing-here"), folder]) {
    expect(await offer.find(place)).toMatchObject({ ok: false, reason: "not_first_run" });
  }
  expect(offer.refusal()).toMatch(/a manager restores/);
  await hub.restartAround(() => writeFileSync(hub.config().dbPath, "damaged"));
  expect(hub.state()).toMatchObject({ state: "failed" });
  expect(offer.refusal()).toBeNull();
  expect(await offer.find(drive)).toMatchObject({ ok: true });
});
