import { readFileSync } from "node:fs";
import path from "node:path";

// Built, this file is part of a bundle in a folder of `dist` that has a package.json of its own.
const here = import.meta.dirname;
const isBuilt = path.basename(path.dirname(here)) === "dist";
const hub = isBuilt ? here : path.dirname(here);
const dist = isBuilt ? path.dirname(here) : path.resolve(hub, "../dist");

/** The version of this hub, as its package says. */
export const hubVersion = readVersion();

/** Where the built screens lie that the hub serves. */
export const screensFolder = path.join(dist, "renderer");

/** The program of the threads that carry out jobs. Electron reads it out of the app's archive as well. */
export const jobThreadFile = path.join(hub, isBuilt ? "job-thread.js" : "jobs/job-thread.ts");

function readVersion(): string {
  const file = JSON.parse(readFileSync(path.join(hub, "package.json"), "utf8")) as { version: string };
  return file.version;
}
