import { readFileSync } from "node:fs";
import path from "node:path";

// In the build this file is part of a bundle in a folder of `dist`, which has its own package.json.
const here = import.meta.dirname;
const isBuilt = path.basename(path.dirname(here)) === "dist";
const hub = isBuilt ? here : path.dirname(here);
const dist = isBuilt ? path.dirname(here) : path.resolve(hub, "../dist");

/** The version in this hub's package.json. */
export const hubVersion = readVersion();

/** The folder of the built screens that the hub serves. */
export const screensFolder = path.join(dist, "renderer");

/** The program of job threads. Electron can load it from the app's archive too. */
export const jobThreadFile = path.join(hub, isBuilt ? "job-thread.js" : "jobs/job-thread.ts");

function readVersion(): string {
  const file = JSON.parse(readFileSync(path.join(hub, "package.json"), "utf8")) as { version: string };
  return file.version;
}
