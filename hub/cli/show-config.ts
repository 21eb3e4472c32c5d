import { settingFacts } from "../settings/config.ts";
import type { Command } from "./command.ts";

export const showConfig: Command = {
  usage: "config [--json]",
  does: "shows every setting, its value and where it comes from, secrets masked",
  run({ config, settingsHost }) {
    const { given } = config();
    const file = settingsHost.fileSettings();
    const settings = settingFacts().map(({ name, default: fallback, isSecret }) => {
      const value = given[name] ?? fallback;
      const source = given[name] === undefined ? "default" : given[name] === file[name] ? ".env" : "environment";
      return { name, value: isSecret && value !== "" ? "********" : value, source };
    });
    return {
      json: { settings },
      lines: settings.map(
        ({ name, value, source }) => `${name.padEnd(26)} ${value === "" ? "(empty)" : value}  [${source}]`,
      ),
    };
  },
};
