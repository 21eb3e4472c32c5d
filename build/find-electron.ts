import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const electronPackage = path.resolve(import.meta.dirname, "../node_modules/electron");

type Env = Readonly<Record<string, string | undefined>>;

/** The path of the Electron program, or why the desktop app cannot be shown on this machine. */
export type ElectronFound = { program: string } | { reason: string; couldFetch: boolean };

/** Finds Electron. `ELECTRON_OVERRIDE_DIST_PATH` names a folder with another runtime, as for the `electron` package. */
export function findElectron(
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
  folder: string = electronPackage,
  isRoot: boolean = process.getuid?.() === 0,
): ElectronFound {
  const named = path.join(folder, "path.txt");
  const program = existsSync(named) ? readFileSync(named, "utf8").trim() : "electron";
  const override = env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (override !== undefined && override !== "") {
    const file = path.join(override, program);
    return existsSync(file) ? { program: file } : { reason: `there is no ${file}`, couldFetch: false };
  }
  if (platform === "linux" && env["DISPLAY"] === undefined && env["WAYLAND_DISPLAY"] === undefined) {
    return { reason: "this machine has no display", couldFetch: false };
  }
  if (platform === "linux" && isRoot) return { reason: "Electron does not run as root", couldFetch: false };
  const file = path.join(folder, "dist", program);
  if (existsSync(named) && existsSync(file)) return { program: file };
  return { reason: "Electron could not be fetched", couldFetch: existsSync(path.join(folder, "install.js")) };
}

/** The installer of the `electron` package, which downloads the program into its `dist`. */
export const electronInstaller = path.join(electronPackage, "install.js");
