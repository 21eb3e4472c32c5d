import path from "node:path";
import type { Setting } from "@comanda/protocol";
import { isDataFileLocked } from "../db/files/data-file-lock.ts";
import { messageOf } from "../platform/error-facts.ts";
import { presentSettings } from "../settings/change-settings.ts";
import { isSameAccount, type HubConfig } from "../settings/config.ts";
import type { EnvValues } from "../settings/env-file.ts";
import { configOfNote, differingSettings, readRunningNote, type RunningNote } from "../settings/running-note.ts";
import { type CommandContext, CommandError } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export type DescribedSetting = Pick<Setting, "name" | "value" | "set" | "source">;

/** The settings that a command shows or examines. */
export interface Subject {
  /** Settings of the running hub; undefined for those that a start would use. */
  settings?: readonly DescribedSetting[];
  host: "headless" | "desktop";
  /** The settings to examine. Includes the password if this environment has it for the same account. */
  config: HubConfig;
  isRunning: boolean;
  /** Says for people whose settings these are. */
  lines: string[];
  json: { of: "running"; hub: object; differing?: string[] } | { of: "start"; hub?: object };
}

/**
 * Determines whose settings a command means: from the note of the hub that holds this data file or that the desktop app runs at
 * this address; else, with `asks`, from another hub's answer to a manager; else those of a start.
 */
export async function findSubject(context: CommandContext, { asks }: { asks: boolean }): Promise<Subject> {
  const note = context.options.url === undefined ? await findNote(context) : null;
  if (note !== null) return subjectOfNote(context, note);
  const own = { host: "headless", config: context.config() } as const;
  const api = hubApi(context);
  const hub = await api.identity();
  if (hub === null) {
    const reason = context.options.url === undefined ? "" : ` No hub answers at ${api.address}.`;
    return {
      ...own,
      isRunning: false,
      lines: [`No hub runs here: these are the settings that a start would use now.${reason}`],
      json: { of: "start" },
    };
  }
  const about = { hubId: hub.hubId, address: api.address };
  const startSubject = (reason: string): Subject => ({
    ...own,
    isRunning: false,
    lines: [
      `A hub with another data file runs at ${api.address}${reason}`,
      "These are the settings that a start here would use now.",
    ],
    json: { of: "start", hub: about },
  });
  if (!asks) return startSubject(".");
  try {
    const { settings, restartNeeded } = await api.call("settings");
    const pending = restartNeeded ? " Some of them take effect when it starts again." : "";
    return {
      ...own,
      settings,
      isRunning: true,
      lines: [`These are the settings of the hub that runs at ${api.address}, which has another data file.${pending}`],
      json: { of: "running", hub: about },
    };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return startSubject(`; it shows its settings to a manager (--login, --password): ${messageOf(error)}`);
  }
}

/** Returns the note of the hub that holds this data file, else the desktop app's note if its hub answers at this address. */
async function findNote(context: CommandContext): Promise<RunningNote | null> {
  const { dbPath } = context.config();
  if (isDataFileLocked(dbPath)) return readRunningNote(dbPath);
  const note = readRunningNote(desktopDataFile(context.settings.environment));
  if (note === null) return null;
  const hub = await hubApi(context).identity();
  return hub?.hubId === note.hubId ? note : null;
}

async function subjectOfNote(context: CommandContext, note: RunningNote): Promise<Subject> {
  const own = presentSettings(context.settings, false);
  const values = (settings: readonly DescribedSetting[]): EnvValues =>
    Object.fromEntries(settings.map(({ name, value }) => [name, value ?? undefined]));
  const ownPassword = context.config().backOffice.credentials?.password;
  const password = isSameAccount(values(note.settings), values(own)) ? ownPassword : undefined;
  const config = configOfNote(note, password);
  const identity = await hubApi({ ...context, config: () => config }).identity();
  const kind = note.host === "desktop" ? "the desktop app's hub" : "the hub";
  const isOfThisFile = note.dataFile === context.config().dbPath;
  const differing = isOfThisFile ? differingSettings(note, own) : [];
  return {
    settings: note.settings,
    host: note.host,
    config,
    isRunning: true,
    lines: [
      identity?.hubId === note.hubId
        ? `These are the settings of ${kind} that runs at ${note.address} with ${note.dataFile}, since ${note.startedAt}.`
        : `${note.dataFile} is in use, but no hub answers at ${note.address}: these are the settings that ${kind} noted at its start, ${note.startedAt}.`,
      ...(differing.length === 0
        ? []
        : [`A start with the environment and .env of this command would use others: ${describe(own, differing)}.`]),
    ],
    json: {
      of: "running",
      hub: {
        hubId: note.hubId,
        address: note.address,
        host: note.host,
        dataFile: note.dataFile,
        startedAt: note.startedAt,
      },
      ...(differing.length > 0 && { differing }),
    },
  };
}

function describe(settings: readonly DescribedSetting[], names: readonly string[]): string {
  const chosen = settings.filter(({ name }) => names.includes(name));
  return chosen.map(({ name, value }) => `${name}=${value}`).join(", ");
}

/** Returns the default path of the desktop app's data file. */
function desktopDataFile(env: EnvValues): string {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? ".";
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    win32: env["APPDATA"] ?? path.join(home, "AppData/Roaming"),
    darwin: path.join(home, "Library/Application Support"),
  };
  const folder = folders[process.platform] ?? env["XDG_CONFIG_HOME"] ?? path.join(home, ".config");
  return path.join(folder, "Comanda Hub", "hub.sqlite");
}
