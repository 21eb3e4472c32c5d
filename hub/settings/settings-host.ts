import { settingNames } from "@comanda/protocol";
import type { HubConfig } from "./config.ts";
import { changeEnvFile, readEnvFile, type EnvValues } from "./env-file.ts";

/** Where this hub's settings are kept, and what can change them and restart it. */
export interface SettingsHost {
  host: "headless" | "desktop";
  /** What the settings file says; the environment wins over it. */
  fileSettings(): EnvValues;
  /** The variables that win over the settings file at every start. Without it they are inferred from the first start. */
  environment?: EnvValues;
  /** Changes the settings file, null removes a line; null itself when this hub has no file to change. */
  saveSettings: ((values: Readonly<Record<string, string | null>>) => void) | null;
  /** Stops this hub and starts it again; null when only a person can. */
  restart: (() => void) | null;
}

/** A hub that another program starts and configures. */
export const foreignSettingsHost: SettingsHost = {
  host: "headless",
  fileSettings: () => ({}),
  saveSettings: null,
  restart: null,
};

/** A headless hub with an `.env` file. */
export function envFileSettingsHost(file: string, restart: () => void, environment: EnvValues = {}): SettingsHost {
  return {
    host: "headless",
    environment,
    fileSettings: () => readEnvFile(file),
    saveSettings: (values) => changeEnvFile(file, values),
    restart,
  };
}

/** Of the settings that a hub was given, those that its settings file cannot change; to be asked at its start. */
export function fixedSettings(given: HubConfig["given"], host: SettingsHost): EnvValues {
  const fileAtStart = host.fileSettings();
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = given[name];
      // A value that differs from the file at the start came from the environment, too.
      const isFixed = host.environment?.[name] !== undefined || fileAtStart[name] !== value;
      return value !== undefined && isFixed ? [[name, value]] : [];
    }),
  );
}
