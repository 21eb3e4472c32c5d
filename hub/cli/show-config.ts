import { presentSettings } from "../settings/change-settings.ts";
import type { Command } from "./command.ts";
import { type DescribedSetting, findSubject } from "./find-subject.ts";

const sourceNames = { environment: "environment", file: ".env", default: "default" };
const desktopSourceNames = { ...sourceNames, file: "desktop app" };

export const showConfig: Command = {
  usage: "config [--url ADDRESS] [--login NAME --password PASSWORD] [--json]",
  summary:
    "shows every setting, its value and where it comes from, secrets masked: of the hub that runs, else as a start would use them",
  maxPositionals: 0,
  async run(context) {
    context.config(); // A bad setting is an error here too.
    const subject = await findSubject(context, { asks: true });
    const listed: readonly DescribedSetting[] = subject.settings ?? presentSettings(context.settings, true);
    const names = subject.host === "desktop" ? desktopSourceNames : sourceNames;
    const settings = listed.map(({ name, value, set, source }) => ({
      name,
      value: value ?? (set ? "********" : ""),
      source: names[source],
    }));
    return {
      json: { ...subject.json, settings },
      lines: [
        ...subject.lines,
        ...settings.map(
          ({ name, value, source }) => `${name.padEnd(26)} ${value === "" ? "(empty)" : value}  [${source}]`,
        ),
      ],
    };
  },
};
