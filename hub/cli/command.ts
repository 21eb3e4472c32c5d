import type { World } from "../platform/world.ts";
import type { SettingSources } from "../settings/change-settings.ts";
import type { HubConfig } from "../settings/config.ts";

/** Exit codes of commands; 75 is EX_TEMPFAIL of sysexits. */
export const exitCode = { done: 0, failed: 1, usage: 2, tryLater: 75 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A failed command. Its message is one sentence for the person at the command line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(code: ExitCode, message: string) {
    super(message);
    this.exitCode = code;
  }
}

/** The result of a command: `json` for programs, `lines` for people. */
export interface Report {
  json: unknown;
  lines: string[];
  exitCode?: ExitCode;
}

/** The input of a command: its arguments, its options and the hub that it works on. */
export interface CommandContext {
  positionals: string[];
  options: CommandOptions;
  /** Reads the settings. Throws a StartError if one is wrong. */
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
  for?: string | undefined;
  since?: string | undefined;
}

export interface Command {
  usage: string;
  summary: string;
  /** How many arguments may follow the name. */
  maxPositionals: number;
  run(context: CommandContext): Promise<Report> | Report;
}

export function usageError(command: Command): CommandError {
  return new CommandError(exitCode.usage, `Usage: npm run hub -- ${command.usage}`);
}
