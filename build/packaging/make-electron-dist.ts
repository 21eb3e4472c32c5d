import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PackageRun } from "./package-runs.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The bytes that @electron/fuses looks for in Electron's program: a mark, a version, a length, and one byte per fuse. */
const fuseWire = Buffer.concat([
  Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"),
  Buffer.from([1, 9]),
  Buffer.from("101101010"),
]);

/**
 * Creates a folder that electron-builder accepts as an Electron distribution, to check packing where the real one cannot be
 * downloaded. Its program does nothing, but its fuses can be set and read.
 */
export function makeElectronDist(folder: string, run: PackageRun, version: string): string {
  for (const name of ["resources", "locales"]) mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, "version"), version);
  writeFileSync(path.join(folder, "LICENSE"), "stand-in");
  for (const language of ["en-US", "es", "es-419", "fr"])
    writeFileSync(path.join(folder, "locales", `${language}.pak`), "");
  const program = path.join(folder, run.platform === "windows" ? "electron.exe" : "electron");
  // electron-builder writes an integrity resource into it, so it must be a real Windows program. One comes with its packages.
  if (run.platform === "windows")
    copyFileSync(path.join(root, "node_modules/electron-winstaller/vendor/Squirrel.exe"), program);
  else writeFileSync(program, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  appendFileSync(program, fuseWire);
  return folder;
}
