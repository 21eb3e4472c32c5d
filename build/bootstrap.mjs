// Runs before every npm script: installs and builds what is missing; silent when nothing is.
// It has no dependency and no TypeScript in it, because it runs on the machine's own Node before anything is installed.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const stamps = path.join(root, "node_modules", ".comanda");
const wants = process.argv[2] ?? "";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Comanda Hub needs Node 20.19 or later to install itself; this is Node ${process.versions.node}.`);
}

install();
const isProgram = wants === "app" || wants === "hub" || wants === "test";
if (isProgram) buildScreens();
if (isProgram || wants === "hub-alone") buildHub();

/** Installs the packages of package-lock.json unless exactly these are installed already. */
function install() {
  const lock = digest([path.join(root, "package-lock.json")]);
  if (isStamped("install", lock)) return;
  say("installing packages (once, about a minute) …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], "npm could not install the packages");
  stamp("install", lock);
  say("packages installed");
}

function buildScreens() {
  const sources = [...files(path.join(root, "renderer")), ...files(path.join(root, "protocol", "src"))];
  const result = path.join(root, "dist", "renderer", "index.html");
  buildOnce({ name: "renderer", what: "the screens", sources, result, isNeeded: wants !== "hub" });
}

function buildHub() {
  const folders = ["hub", path.join("protocol", "src"), "build"];
  const sources = [
    ...folders.flatMap((folder) => files(path.join(root, folder))),
    ...["openapi.json", "openapi.html", "openapi.css", "terminal-api.json", "terminal-api.html"].map((name) =>
      path.join(root, "docs", name),
    ),
    path.join(root, "package-lock.json"),
  ];
  const result = path.join(root, "dist", "hub", "main.js");
  buildOnce({ name: "hub", what: "the hub", sources, result, isNeeded: true });
}

/** Runs the script `build:{name}` unless its result comes from exactly these sources. */
function buildOnce({ name, what, sources, result, isNeeded }) {
  const now = digest(sources);
  if (isStamped(name, now) && existsSync(result)) return;
  say(`building ${what} (once, some seconds) …`);
  if (!run("npm", ["run", "--silent", `build:${name}`], `${what} could not be built`, isNeeded)) return;
  stamp(name, now);
  say(`${what.replace("the ", "")} built`);
}

/** Runs a command; a failure is printed, and ends this process when the result is needed. */
function run(command, args, failure, isNeeded = true) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (done.status === 0) return true;
  process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}\n`);
  if (isNeeded) stop(`${failure} (see above).`);
  say(`${failure} (see above); continuing without them`);
  return false;
}

function files(dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules" && entry.name !== "dist")
    .flatMap((entry) => (entry.isDirectory() ? files(path.join(dir, entry.name)) : [path.join(dir, entry.name)]))
    .sort((a, b) => (a < b ? -1 : 1));
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const file of paths) {
    if (!existsSync(file) || !statSync(file).isFile()) continue;
    hash.update(path.relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function isStamped(name, value) {
  const file = path.join(stamps, name);
  return existsSync(file) && readFileSync(file, "utf8") === value;
}

function stamp(name, value) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(path.join(stamps, name), value);
}

function say(text) {
  process.stderr.write(`comanda: ${text}\n`);
}

function stop(text) {
  process.stderr.write(`comanda: ${text}\n`);
  process.exit(1);
}
