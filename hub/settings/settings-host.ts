import { existsSync, readFileSync, renameSync } from "node:fs";
import { parseEnv } from "node:util";
import { quoteEnvValue } from "./change-settings.ts";
import { writePrivate } from "../db/private-files.ts";

type Values = Readonly<Record<string, string | undefined>>;

/** Where this hub's settings come from, who changes them, and who can start it again. */
export interface SettingsHost {
  host: "headless" | "desktop";
  /** What the settings file says; the environment wins over it. */
  fileSettings(): Values;
  /** The variables that win over the settings file, now and at each later start; what nobody tells is worked out. */
  environment?: Values;
  /** Changes the settings file, null takes a line out; null itself when settings are changed elsewhere. */
  saveSettings: ((values: Readonly<Record<string, string | null>>) => void) | null;
  /** Stops this hub and starts it again; null when only a person can. */
  restart: (() => void) | null;
}

/** A hub that somebody else runs and configures. */
export const foreignSettingsHost: SettingsHost = {
  host: "headless",
  fileSettings: () => ({}),
  saveSettings: null,
  restart: null,
};

/** A headless hub with an `.env` file, of which every line that is no setting is left alone. */
export function envFileSettingsHost(file: string, restart: () => void, environment: Values = {}): SettingsHost {
  return {
    host: "headless",
    environment,
    fileSettings: () => readEnvFile(file),
    saveSettings(values) {
      const before = existsSync(file) ? readFileSync(file, "utf8") : "";
      const kept = before.split("\n").filter((line) => !Object.keys(values).some((name) => isLineOf(line, name)));
      while (kept.at(-1) === "") kept.pop();
      const lines = Object.entries(values).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${quoteEnvValue(value)}`],
      );
      writePrivate(`${file}.part`, `${[...kept, ...lines].join("\n")}\n`);
      renameSync(`${file}.part`, file);
    },
    restart,
  };
}

/** The variables of an `.env` file; none when there is no such file. */
export function readEnvFile(file: string): Values {
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

function isLineOf(line: string, name: string): boolean {
  return new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line);
}
