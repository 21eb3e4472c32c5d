import { readFileSync } from "node:fs";
import path from "node:path";

// Built, this file is part of a bundle in a folder of `dist` that has a package.json of its own.
const here = import.meta.dirname;
const isBuilt = path.basename(path.dirname(here)) === "dist";
const hub = isBuilt ? here : path.dirname(here);
const dist = isBuilt ? path.dirname(here) : path.resolve(hub, "../dist");

export const hubVersion = readVersion();

/** Where the built screens lie that the hub serves. */
export const screensFolder = path.join(dist, "renderer");

/** Where the built terminal lies, the page of waiters, cashiers and cooks. */
export const terminalFolder = path.join(dist, "terminal");

/** Where the bundle lies, from which a hub that runs from its sources, as in tests, takes what only a build makes. */
const bundle = isBuilt ? here : path.join(dist, "hub");

/** Where the descriptions of the APIs lie that the hub serves, with the pages that show them. */
export const apiDocsFolder = path.join(bundle, "docs");

/**
 * The program of the worker threads. Electron can also read it from inside the app's archive. From the sources, each
 * thread would read and strip a hundred files, which costs more than all the rest of a hub's start.
 */
export const jobThreadFile = path.join(bundle, "job-thread.js");

export const practiceThreadFile = path.join(hub, isBuilt ? "practice-thread.js" : "practice-thread.ts");

function readVersion(): string {
  const file = JSON.parse(readFileSync(path.join(hub, "package.json"), "utf8")) as { version: string };
  return file.version;
}
