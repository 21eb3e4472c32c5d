import { presentSettings } from "../settings/change-settings.ts";
import type { Command } from "./command.ts";

const sourceNames = { environment: "environment", file: ".env", default: "default" };

export const showConfig: Command = {
  usage: "config [--json]",
  summary: "shows every setting, its value and where it comes from, secrets masked",
  run({ config, settings: sources }) {
    config(); // A bad setting is an error here too.
    const settings = presentSettings(sources, true).map(({ name, value, set, source }) => ({
      name,
      value: value ?? (set ? "********" : ""),
      source: sourceNames[source],
    }));
    return {
      json: { settings },
      lines: settings.map(
        ({ name, value, source }) => `${name.padEnd(26)} ${value === "" ? "(empty)" : value}  [${source}]`,
      ),
    };
  },
};
