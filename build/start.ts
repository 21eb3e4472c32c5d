// `npm start`: the desktop app, or without Electron the hub alone, with the same screens at its address.
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { readCommandLine } from "./command-line.ts";
import { electronInstaller, findElectron } from "./find-electron.ts";

const usage = `npm start -- [OPTIONS]

  OPTIONS   of the desktop app; where the hub runs without its window, those of the hub: npm run hub -- --help`;
readCommandLine(usage, { strict: false });

const root = path.resolve(import.meta.dirname, "..");
const FETCH_MS = 300_000;

const found = findOrFetch();
if ("program" in found) startApp(found.program);
else await startHub(found.reason);

function findOrFetch() {
  const first = findElectron();
  if ("program" in first || !first.couldFetch) return first;
  print("fetching Electron (once, about 110 MB) …");
  spawnSync(process.execPath, [electronInstaller], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: FETCH_MS,
  });
  return findElectron();
}

/** Runs the bundled app, forwards signals to it, and exits with its exit code. */
function startApp(program: string): void {
  const built = spawnSync(process.execPath, [path.join(root, "build/build-electron.ts")], {
    cwd: root,
    stdio: "inherit",
  });
  if (built.status !== 0) process.exit(1);
  const app = spawn(program, [root, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => app.kill(signal));
  app.once("error", (error) => {
    print(`Electron could not be started (${error.message}).`);
    process.exit(1);
  });
  app.once("exit", (code) => process.exit(code ?? 1));
}

/** Runs the hub in this process, with its signals, standard output and exit code. */
async function startHub(reason: string): Promise<void> {
  print(`no desktop window here (${reason}): the hub runs without it, with the same screens at its address.`);
  const main = path.join(root, "dist/hub/main.js");
  process.argv = [process.execPath, main, ...process.argv.slice(2)];
  await import(main);
}

function print(text: string): void {
  process.stderr.write(`comanda: ${text}\n`);
}
