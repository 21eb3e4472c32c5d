import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../hub/platform/log.ts";
import { startProgram } from "../support/start-program.ts";

const commonLogLine = (program: string) => ({
  level: expect.stringMatching(/^(trace|debug|info|warn|error|fatal)$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  program,
  msg: expect.stringMatching(/./),
});

/** Returns the log lines of a program's output: all but the one that contains the address. */
function linesOf(output: string): Record<string, unknown>[] {
  return output
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("listening on"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("hub, back-office stand-in, update proxy and desktop app log lines of one form [HUB-156]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    HUB_HTTP_PORT: "0",
    HUB_DB_PATH: join(folder, "hub.sqlite"),
    HUB_MDNS_ENABLED: "false",
    // Produces a warning at the start, so that there is a line to check.
    HUB_DEV_AUTH: "true",
    BACKOFFICE_PORT: "0",
    BACKOFFICE_DB_PATH: join(folder, "backoffice.sqlite"),
    UPDATE_PORT: "0",
    UPDATE_SOURCE: `dir:${folder}`,
  };
  const programs = {
    hub: "dist/hub/main.js",
    backoffice: "backoffice-stub/main.ts",
    "update-proxy": "updater/proxy/main.ts",
  };
  for (const [name, entry] of Object.entries(programs)) {
    const program = await startProgram(entry, env, folder);
    expect(await program.stop()).toBe(0);
    const lines = linesOf(program.output());
    expect(lines.length, name).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatchObject(commonLogLine(name));
      expect(Object.keys(line).slice(0, 3)).toEqual(["level", "time", "program"]);
    }
  }

  const desktop: string[] = [];
  createLog("info", { write: (line) => void desktop.push(line) }, "desktop-app").warn(
    { password: "hunter2" },
    "as the app logs",
  );
  expect(linesOf(desktop.join(""))).toEqual([{ ...commonLogLine("desktop-app"), password: "[redacted]" }]);
});
