import type { HubConfig } from "../settings/config.ts";
import type { SettingsHost } from "../settings/settings-host.ts";
import type { World } from "../platform/world.ts";
import { CommandError, exitCode, type Report } from "./outcome.ts";

/** What every command gets: its words, its options, and the hub that they are about. */
export interface CommandContext {
  words: string[];
  options: CommandOptions;
  /** The settings; throws a StartError when one is wrong. */
  config(): HubConfig;
  settingsHost: SettingsHost;
  world: World;
}

export interface CommandOptions {
  json: boolean;
  empty: boolean;
  cancel: boolean;
  url?: string | undefined;
  login?: string | undefined;
  password?: string | undefined;
  scopes?: string | undefined;
  since?: string | undefined;
}

export interface Command {
  usage: string;
  does: string;
  run(context: CommandContext): Promise<Report> | Report;
}

export function usageError(command: Command): CommandError {
  return new CommandError(exitCode.usage, `Usage: npm run hub -- ${command.usage}`);
}
