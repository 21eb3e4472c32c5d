import { existsSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");
const standIn = path.join(root, "e2e/electron-stand-in");
const electronPackage = path.join(root, "node_modules/electron");

/**
 * Chooses the runtime of the desktop specs: real Electron if its program and a display exist, else the stand-in. The choice is
 * passed in the variable that the `electron` package itself reads, so specs and app do not depend on it.
 */
export function chooseRuntime(): string {
  const named = process.env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (named !== undefined && named !== standIn) return `the runtime in ${named}`;
  const hasProgram =
    existsSync(path.join(electronPackage, "path.txt")) && existsSync(path.join(electronPackage, "dist"));
  const hasDisplay = process.platform !== "linux" || process.env["DISPLAY"] !== undefined;
  if (named === undefined && hasProgram && hasDisplay) return "real Electron";
  process.env["ELECTRON_OVERRIDE_DIST_PATH"] = standIn;
  return `the stand-in for Electron (Node ${process.versions.node} with Chromium); real Electron is absent`;
}

export function runsOnStandIn(): boolean {
  chooseRuntime();
  return process.env["ELECTRON_OVERRIDE_DIST_PATH"] === standIn;
}
