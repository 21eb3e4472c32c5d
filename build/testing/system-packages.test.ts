import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { ensure, explain, findProgram } from "./system-packages.ts";

it("programs are found by their full path", () => {
  expect(path.isAbsolute(findProgram("node") ?? "")).toBe(true);
  expect(findProgram("no-such-program")).toBe(undefined);
});

it("nothing is installed if all packages are there", () => {
  expect(ensure([])).toEqual({ ok: true, installed: [] });
  expect(ensure(["node"])).toEqual({ ok: true, installed: [] });
});

it("a missing package is reported in one sentence with the command that installs it", () => {
  expect(explain({ ok: false, missing: ["minisign", "xvfb"], reason: "installing needs root" })).toBe(
    "Missing on this machine: minisign, xvfb (installing needs root). Install with: apt-get install minisign xvfb",
  );
});

it("a package that does not exist fails, also from the command line", () => {
  const program = path.join(import.meta.dirname, "system-packages.ts");
  const done = spawnSync(process.execPath, [program, "no-such-package"], {
    encoding: "utf8",
    env: { PATH: path.dirname(process.execPath) },
  });
  expect([done.status, done.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Missing on this machine: no-such-package \(.+\)\. Install with: apt-get install no-such-package\n$/,
    ),
  ]);
});
