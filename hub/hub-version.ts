import { readFileSync } from "node:fs";
import path from "node:path";

/** The version of this hub, as its package says. */
export const hubVersion = readVersion();

function readVersion(): string {
  const file = JSON.parse(readFileSync(path.join(import.meta.dirname, "package.json"), "utf8")) as { version: string };
  return file.version;
}
