import { existsSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");
const electronPackage = path.join(root, "node_modules/electron");

/**
 * Chooses what the desktop specs run on: real Electron where its program and a display are, else the stand-in beside this
 * folder. The choice is made through the variable that the `electron` package itself reads, so specs and app do not know.
 */
export function chooseRuntime(): string {
  if (process.env["ELECTRON_OVERRIDE_DIST_PATH"] !== undefined) return `the runtime in ELECTRON_OVERRIDE_DIST_PATH`;
  const hasProgram =
    existsSync(path.join(electronPackage, "path.txt")) && existsSync(path.join(electronPackage, "dist"));
  const hasDisplay = process.platform !== "linux" || process.env["DISPLAY"] !== undefined;
  if (hasProgram && hasDisplay) return "real Electron";
  process.env["ELECTRON_OVERRIDE_DIST_PATH"] = path.join(root, "e2e/electron-stand-in");
  return `the stand-in for Electron (Node ${process.versions.node} with Chromium); real Electron is absent`;
}
