import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { settingNames, SettingName } from "@comanda/protocol";
import { z } from "zod";
import { writePrivate } from "../db/files/private-files.ts";
import { reachableHost } from "../platform/loopback.ts";
import type { World } from "../platform/world.ts";
import { presentSettings } from "./change-settings.ts";
import { readHubConfig, type HubConfig } from "./config.ts";
import { fixedSettings, type SettingsHost } from "./settings-host.ts";

/**
 * A note that a running hub writes beside its data file, without secrets. From it, commands on this PC learn the settings that
 * the hub runs with, whatever their own environment says.
 */
export const RunningNote = z.object({
  hubId: z.string(),
  host: z.enum(["headless", "desktop"]),
  /** Address for this PC, such as `http://127.0.0.1:8766`. */
  address: z.url(),
  startedAt: z.iso.datetime(),
  dataFile: z.string(),
  /** Base folder of relative paths in the settings. */
  folder: z.string(),
  port: z.number().int(),
  /** `value` is null for a secret. */
  settings: z.array(
    z.object({
      name: SettingName,
      value: z.string().nullable(),
      set: z.boolean(),
      source: z.enum(["environment", "file", "default"]),
    }),
  ),
});
export type RunningNote = z.infer<typeof RunningNote>;

/** Keeps the note of one run: written when the hub serves, updated when a live setting changes, removed on stop. */
export function createRunningNote(deps: {
  world: World;
  config: HubConfig;
  settingsHost: SettingsHost;
  hubId: string;
  port: () => number;
}) {
  const { world, config, settingsHost, hubId, port } = deps;
  const file = noteFileOf(config.dbPath);
  const startedAt = new Date(world.clock.now()).toISOString();
  const environment = fixedSettings(config.provided, settingsHost);

  function write(): void {
    const provided = { ...config.provided, HUB_STATIONS: settingsHost.fileSettings().HUB_STATIONS };
    const settings = presentSettings({ environment, file: provided }, false);
    const note: RunningNote = {
      hubId,
      host: settingsHost.host,
      address: `http://${reachableHost(config.host)}:${port()}`,
      startedAt,
      dataFile: config.dbPath,
      folder: process.cwd(),
      port: port(),
      settings: settings.map(({ name, value, set, source }) => ({ name, value, set, source })),
    };
    try {
      writePrivate(`${file}.part`, JSON.stringify(note));
      renameSync(`${file}.part`, file);
    } catch (error) {
      // For example on a full disk: the hub works without the note.
      world.log.warn({ err: error }, "the settings could not be noted for commands on this PC");
    }
  }

  return {
    start: write,
    refresh: write,
    stop(): void {
      rmSync(file, { force: true });
    },
  };
}

/** Reads the last note of the hub on this data file. The hub runs only while the data file is locked. */
export function readRunningNote(dataFile: string): RunningNote | null {
  const file = noteFileOf(dataFile);
  try {
    return existsSync(file) ? RunningNote.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
  } catch {
    return null; // From another account, or written only partly.
  }
}

/** Returns a noted hub's settings. The note has no password; `password` is one for the same account. */
export function configOfNote(note: RunningNote, password?: string): HubConfig {
  const values = Object.fromEntries(note.settings.map(({ name, value }) => [name, value ?? undefined]));
  const absolute = (name: SettingName): string | undefined =>
    values[name] === undefined || values[name] === "" ? values[name] : path.resolve(note.folder, values[name]);
  return readHubConfig({
    ...values,
    HUB_DB_PATH: note.dataFile,
    HUB_BACKUP_DIR: absolute("HUB_BACKUP_DIR"),
    HUB_BACKUP_SECOND_DIR: absolute("HUB_BACKUP_SECOND_DIR"),
    HUB_HTTP_PORT: String(note.port),
    ERP_PASSWORD: password ?? "",
  });
}

/** Returns the non-secret settings whose value differs between a noted hub and these. */
export function differingSettings(note: RunningNote, other: RunningNote["settings"]): SettingName[] {
  const valueIn = (settings: RunningNote["settings"], name: SettingName) =>
    settings.find((setting) => setting.name === name)?.value;
  return settingNames.filter((name) => valueIn(note.settings, name) !== valueIn(other, name));
}

function noteFileOf(dataFile: string): string {
  return `${dataFile}.running.json`;
}
