import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { findElectron } from "./find-electron.ts";

function packageFolder({ fetched }: { fetched: boolean }): string {
  const folder = mkdtempSync(path.join(tmpdir(), "electron-package-"));
  writeFileSync(path.join(folder, "install.js"), "");
  if (!fetched) return folder;
  mkdirSync(path.join(folder, "dist"));
  writeFileSync(path.join(folder, "path.txt"), "electron");
  writeFileSync(path.join(folder, "dist", "electron"), "");
  return folder;
}

it("the program that the electron package fetched is started [DESK-1]", () => {
  const folder = packageFolder({ fetched: true });
  expect(findElectron({ DISPLAY: ":0" }, "linux", folder, false)).toEqual({
    program: path.join(folder, "dist", "electron"),
  });
});

it("the reason for a missing window is given: not fetched, no display, or root [DESK-1]", () => {
  const [fetched, bare] = [packageFolder({ fetched: true }), packageFolder({ fetched: false })];
  expect(findElectron({ DISPLAY: ":0" }, "linux", bare, false)).toEqual({
    reason: "Electron could not be fetched",
    couldFetch: true,
  });
  expect(findElectron({}, "linux", fetched, false)).toEqual({
    reason: "this machine has no display",
    couldFetch: false,
  });
  expect(findElectron({ DISPLAY: ":0" }, "linux", fetched, true)).toEqual({
    reason: "Electron does not run as root",
    couldFetch: false,
  });
  expect(findElectron({}, "win32", bare, false)).toEqual({ reason: "Electron could not be fetched", couldFetch: true });
});

it("the runtime named in ELECTRON_OVERRIDE_DIST_PATH is used [DESK-1]", () => {
  const folder = packageFolder({ fetched: false });
  const other = path.join(packageFolder({ fetched: true }), "dist");
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: other }, "linux", folder, true)).toEqual({
    program: path.join(other, "electron"),
  });
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder }, "linux", folder, false)).toEqual({
    reason: `there is no ${path.join(folder, "electron")}`,
    couldFetch: false,
  });
});
