import { readFileSync } from "node:fs";
import path from "node:path";

// When built, this file is part of a bundle in a folder of `dist` that has its own package.json.
const folder = import.meta.dirname;
const isBuilt = path.basename(path.dirname(folder)) === "dist";
const hub = isBuilt ? folder : path.dirname(folder);
const dist = isBuilt ? path.dirname(folder) : path.resolve(hub, "../dist");

export const hubVersion = readVersion();

/** Folder of the built screens that the hub serves. */
export const screensFolder = path.join(dist, "renderer");

/** Folder of the built terminal, the page for waiters, cashiers and cooks. */
export const terminalFolder = path.join(dist, "terminal");

/** Folder of the bundle. A hub that runs from its sources, as in tests, takes built files from here too. */
const bundle = isBuilt ? folder : path.join(dist, "hub");

/** Folder of the API descriptions that the hub serves, and of the pages that show them. */
export const apiDocsFolder = path.join(bundle, "docs");

/**
 * The program of the worker threads. Electron can read it from inside the app's archive. From the sources, each thread would
 * read and strip a hundred files, which costs more than the rest of a hub's start.
 */
export const jobThreadFile = path.join(bundle, "job-thread.js");

export const practiceThreadFile = path.join(hub, isBuilt ? "practice-thread.js" : "practice-thread.ts");

function readVersion(): string {
  const file = JSON.parse(readFileSync(path.join(hub, "package.json"), "utf8")) as { version: string };
  return file.version;
}
