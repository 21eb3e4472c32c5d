import type { HubConfig } from "../settings/config.ts";
import type { SettingSources } from "../settings/change-settings.ts";
import type { World } from "../platform/world.ts";
import { CommandError, exitCode, type Report } from "./outcome.ts";

/** The input of a command: its arguments, its options, and the hub it works on. */
export interface CommandContext {
  words: string[];
  options: CommandOptions;
  /** The settings; throws a StartError when one is wrong. */
  config(): HubConfig;
  settings: SettingSources;
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
  summary: string;
  run(context: CommandContext): Promise<Report> | Report;
}

export function usageError(command: Command): CommandError {
  return new CommandError(exitCode.usage, `Usage: npm run hub -- ${command.usage}`);
}
