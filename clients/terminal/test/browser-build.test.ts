import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

it("index.ts imports nothing of Node [CLIENT-60]", () => {
  const packages = packagesReachedFrom(join(import.meta.dirname, "../src/index.ts"));
  // Neither imports anything from Node, which `npm run imports` checks.
  expect([...packages].toSorted()).toEqual(["@comanda/protocol", "@comanda/rules"]);
});

it("an import of Node would be noticed [CLIENT-60]", () => {
  const packages = packagesReachedFrom(join(import.meta.dirname, "../src/node.ts"));
  expect([...packages]).toEqual(expect.arrayContaining(["better-sqlite3", "ws", "bonjour-service"]));
});

function packagesReachedFrom(entry: string): Set<string> {
  const packages = new Set<string>();
  const files = [entry];
  for (const file of files) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/from "([^"]+)"|import "([^"]+)"/g)) {
      if (!name.startsWith(".")) packages.add(name);
      else if (!files.includes(join(dirname(file), name))) files.push(join(dirname(file), name));
    }
  }
  return packages;
}
