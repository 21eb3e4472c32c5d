// Runs before every npm script: installs and builds what is missing, silently if nothing is. Only one process at a time,
// because concurrent installs would corrupt each other. `--keep-packages` is for tests, which must not lose their packages. It
// uses no dependency and no TypeScript, because it runs on the machine's own Node before anything is installed.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const stamps = path.join(root, "node_modules", ".comanda");
const [wants = ""] = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const keepsPackages = process.argv.includes("--keep-packages");
/** Longer than an installation over a slow connection. */
const WAIT_MS = 15 * 60_000;
/** A process that has not written its id after this time could not: the disk was full, or the power failed. */
const WRITE_MS = 10_000;

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Comanda Hub needs Node 20.19 or later to install itself; this is Node ${process.versions.node}.`);
}

waitForOthers();
install();
const isProgram = wants === "app" || wants === "hub" || wants === "test";
if (isProgram || wants === "headquarters") buildPages();
if (isProgram || wants === "hub-alone") buildHub();

/** Waits until no other process of this clone installs or builds, then holds the lock until this process ends. */
function waitForOthers() {
  const file = path.join(root, ".cache", "bootstrap.pid");
  mkdirSync(path.dirname(file), { recursive: true });
  const tooLate = Date.now() + WAIT_MS;
  let isSaid = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      process.on("exit", () => rmSync(file, { force: true }));
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const other = holderOf(file);
    // A killed process, or one from before the last boot, no longer holds the lock.
    const isOver = other > 0 ? !isAlive(other) || isOlder(file, uptime() * 1000) : isOlder(file, WRITE_MS);
    if (isOver) rmSync(file, { force: true });
    else if (Date.now() > tooLate) stop(`another process (${other}) holds ${file}`);
    else {
      if (!isSaid && other > 0) say(`waiting for another process (${other}) to install or build …`);
      isSaid ||= other > 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** Returns the id of the process that holds the file, or 0 if there is no file or no id in it yet. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

function isOlder(file, ms) {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs < Date.now() - ms;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Installs the packages of package-lock.json unless exactly these are installed. */
function install() {
  if (isInstalled()) return;
  if (keepsPackages) stop("the packages are not those of package-lock.json: run `npm run bootstrap`");
  say("installing packages (once, about a minute) …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], "npm could not install the packages");
  say("packages installed");
}

/** npm writes its own lock file after a successful installation. It lacks the packages of other platforms. */
function isInstalled() {
  const installed = packagesOf(path.join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  return Object.entries(packagesOf(path.join(root, "package-lock.json"))).every(([place, wanted]) => {
    const isPackage = place.includes("node_modules/") && !wanted.link && !wanted.optional && !wanted.devOptional;
    const there = installed[place];
    return !isPackage || (there?.version === wanted.version && there.integrity === wanted.integrity);
  });
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

function buildPages() {
  const shared = ["ui", path.join("protocol", "src"), path.join("rules", "src")];
  const ofHub = ["app", "hub", "test"];
  for (const { name, what, folders, forWhom } of [
    { name: "renderer", what: "the screens", folders: ["renderer", ...shared], forWhom: ofHub },
    {
      name: "terminal",
      what: "the terminal",
      folders: ["terminal", path.join("clients", "terminal", "src"), ...shared],
      forWhom: ofHub,
    },
    {
      name: "headquarters-screens",
      what: "the screens of headquarters",
      folders: [path.join("headquarters", "screens"), ...shared],
      forWhom: ["headquarters", "test"],
    },
  ]) {
    if (!forWhom.includes(wants)) continue;
    const sources = folders.flatMap((folder) => files(path.join(root, folder)));
    const result = path.join(root, "dist", name, "index.html");
    buildOnce({ name, what, sources, result, isNeeded: wants !== "hub" });
  }
}

function buildHub() {
  const folders = ["hub", path.join("protocol", "src"), path.join("rules", "src"), "build"];
  const sources = [
    ...folders.flatMap((folder) => files(path.join(root, folder))),
    ...["openapi.json", "asyncapi.yaml"].map((name) => path.join(root, "docs", name)),
    ...files(path.join(root, "docs", "reference")),
    path.join(root, "package-lock.json"),
  ];
  const result = path.join(root, "dist", "hub", "main.js");
  buildOnce({ name: "hub", what: "the hub", sources, result, isNeeded: true });
}

/** Runs the script `build:{name}` unless its result was built from exactly these sources. */
function buildOnce({ name, what, sources, result, isNeeded }) {
  const now = digest(sources);
  if (isStamped(name, now) && existsSync(result)) return;
  say(`building ${what} (once, some seconds) …`);
  if (!run("npm", ["run", "--silent", `build:${name}`], `${what} could not be built`, isNeeded)) return;
  stamp(name, now);
  say(`${what.replace("the ", "")} built`);
}

/** Runs a command. Prints a failure, and exits if the result is needed. */
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
