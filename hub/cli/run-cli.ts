import { parseArgs } from "node:util";
import { describeDefault, type SettingName, settingNames, settings, withoutControlCharacters } from "@comanda/protocol";
import { messageOf } from "../platform/error-facts.ts";
import { StartError } from "../platform/errors.ts";
import { createLog } from "../platform/log.ts";
import { realWorld } from "../platform/world.ts";
import { readHubConfig } from "../settings/config.ts";
import { readEnvFile } from "../settings/env-file.ts";
import { backup } from "./backup.ts";
import { type Command, CommandError, type CommandOptions, exitCode, type ExitCode, usageError } from "./command.ts";
import { doctor } from "./doctor.ts";
import { keys } from "./keys.ts";
import { restore } from "./restore.ts";
import { showConfig } from "./show-config.ts";
import { status } from "./status.ts";
import { version } from "./version.ts";
import { webhooks } from "./webhooks.ts";

const commands: Readonly<Record<string, Command>> = {
  status,
  doctor,
  backup,
  restore,
  keys,
  webhooks,
  config: showConfig,
  version,
};

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/** Runs one command of the headless hub (any but `start`) and returns its exit code. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  envFile: string,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const { name, positionals, options } = readArguments(args);
    if (name === "help") {
      terminal.out(`${usage("help")}\n`);
      return exitCode.done;
    }
    const command = commands[name];
    if (command === undefined) throw new CommandError(exitCode.usage, usage(name));
    if (positionals.length > command.maxPositionals) throw usageError(command);
    const report = await command.run({
      positionals,
      options,
      config: () => readHubConfig({ ...readEnvFile(envFile), ...env }),
      settings: { environment: env, file: readEnvFile(envFile) },
      world: realWorld(createLog("silent")),
    });
    terminal.out(
      options.json
        ? `${JSON.stringify(report.json, null, 2)}\n`
        : `${withoutControlCharacters(report.lines.join("\n"))}\n`,
    );
    return report.exitCode ?? exitCode.done;
  } catch (error) {
    const code = error instanceof CommandError ? error.exitCode : exitCode.failed;
    const sentence = sentenceOf(error);
    const isJson = args.includes("--json");
    const text = isJson ? JSON.stringify({ error: sentence, exitCode: code }) : sentence;
    terminal.err(`${withoutControlCharacters(text)}\n`);
    return code;
  }
}

/** Returns one sentence, also for an unexpected error: a stack trace does not help at the command line. */
function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  const isExpected = error instanceof CommandError || error instanceof StartError;
  return isExpected ? message : `The command failed: ${message.replace(/\s*\n\s*/g, " ")}.`;
}

function readArguments(args: readonly string[]): { name: string; positionals: string[]; options: CommandOptions } {
  try {
    const text = { type: "string" } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        empty: { type: "boolean", default: false },
        cancel: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        url: text,
        login: text,
        password: text,
        scopes: text,
        for: text,
        since: text,
      },
    });
    const [name = "help", ...operands] = values.help ? ["help"] : positionals;
    return { name, positionals: operands, options: values };
  } catch (error) {
    throw new CommandError(exitCode.usage, `${messageOf(error)}\n${usage("help")}`);
  }
}

function describeSetting(name: SettingName): string {
  return `  ${name.padEnd(26)} ${settings[name].allowed}; default: ${describeDefault(name)}`;
}

function usage(name: string): string {
  const list = Object.values(commands).map((command) => `  ${command.usage}\n      ${command.summary}`);
  const head = name === "help" || name === "start" ? [] : [`There is no command "${name}".`];
  return [
    ...head,
    "npm run hub -- COMMAND, one of:",
    "  start [--empty]\n      runs the hub (also without a command); --empty starts with an empty data file where the previous one is missing",
    ...list,
    ...(name === "help" ? ["Settings, from the environment or .env:", ...settingNames.map(describeSetting)] : []),
  ].join("\n");
}
