// Writes VERSION into every descriptor with a version, or (--check) fails on a difference.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readCommandLine } from "./command-line.ts";

const usage = `npm run version:stamp -- [--check]

  --check   writes nothing, and fails on a difference`;
const { values } = readCommandLine(usage, { options: { check: { type: "boolean" } } });

const root = path.resolve(import.meta.dirname, "..");
const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
const check = values.check === true;

if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
  fail(`VERSION holds "${version}", which is not a semantic version.`);

interface Descriptor {
  version?: string;
  workspaces?: string[];
  packages?: Record<string, { version?: string; link?: boolean }>;
}

const workspaces = (read("package.json").workspaces ?? []).filter((dir) =>
  existsSync(path.join(root, dir, "package.json")),
);
const descriptors = ["package.json", ...workspaces.map((dir) => `${dir}/package.json`)];
const wrong: string[] = [];

for (const file of descriptors) {
  const descriptor = read(file);
  if (descriptor.version === version) continue;
  wrong.push(`${file}: ${descriptor.version ?? "no version"}`);
  if (!check) write(file, { ...descriptor, version });
}

const lock = read("package-lock.json");
let lockChanged = false;
if (lock.version !== version) {
  wrong.push(`package-lock.json: ${lock.version ?? "no version"}`);
  lock.version = version;
  lockChanged = true;
}
for (const dir of ["", ...workspaces]) {
  const entry = lock.packages?.[dir];
  if (entry === undefined || entry.version === version) continue;
  wrong.push(`package-lock.json (${dir || "root"}): ${entry.version ?? "no version"}`);
  entry.version = version;
  lockChanged = true;
}
if (lockChanged && !check) write("package-lock.json", lock);

if (check && wrong.length > 0) {
  fail(`VERSION is ${version}, but:\n  ${wrong.join("\n  ")}\nRun npm run version:stamp.`);
}
console.log(check ? `version ${version} everywhere` : `stamped ${version} (${wrong.length} changed)`);

function read(file: string): Descriptor {
  return JSON.parse(readFileSync(path.join(root, file), "utf8")) as Descriptor;
}

function write(file: string, content: Descriptor): void {
  writeFileSync(path.join(root, file), `${JSON.stringify(content, null, 2)}\n`);
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}
