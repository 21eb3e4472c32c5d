import { settingNames } from "@comanda/protocol";
import type { HubConfig } from "./config.ts";
import { changeEnvFile, readEnvFile, type EnvValues } from "./env-file.ts";

/** Where this hub's settings are stored, and how they can be changed and the hub restarted. */
export interface SettingsHost {
  host: "headless" | "desktop";
  /** Settings from the file. The environment overrides them. */
  fileSettings(): EnvValues;
  /** Variables that override the settings file at every start. If missing, they are inferred from the first start. */
  environment?: EnvValues;
  /** Changes the settings file; a null value removes a line. Null if there is no file to change. */
  saveSettings: ((values: Readonly<Record<string, string | null>>) => void) | null;
  /** Restarts this hub, or null if only a person can. */
  restart: (() => void) | null;
}

/** Used for a hub that another program starts and configures. */
export const foreignSettingsHost: SettingsHost = {
  host: "headless",
  fileSettings: () => ({}),
  saveSettings: null,
  restart: null,
};

/** Creates the host of a headless hub with an `.env` file. */
export function envFileSettingsHost(file: string, restart: () => void, environment: EnvValues = {}): SettingsHost {
  return {
    host: "headless",
    environment,
    fileSettings: () => readEnvFile(file),
    saveSettings: (values) => changeEnvFile(file, values),
    restart,
  };
}

/** Returns the given settings that the settings file cannot change. Must be called at the start. */
export function fixedSettings(provided: HubConfig["provided"], host: SettingsHost): EnvValues {
  const fileAtStart = host.fileSettings();
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = provided[name];
      // A value that differs from the file at the start also came from the environment.
      const isFixed = host.environment?.[name] !== undefined || fileAtStart[name] !== value;
      return value !== undefined && isFixed ? [[name, value]] : [];
    }),
  );
}
