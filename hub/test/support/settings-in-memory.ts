import type { TestHubOptions } from "./start-test-hub.ts";

/** Creates an in-memory settings file. */
export function settingsInMemory() {
  const file: Record<string, string> = {};
  const settingsHost: NonNullable<TestHubOptions["settingsHost"]> = {
    host: "headless",
    fileSettings: () => ({ ...file }),
    saveSettings(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) delete file[name];
        else file[name] = value;
      }
    },
    restart: null,
  };
  return { file, settingsHost };
}
