import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** A lock file, or npm's record of installed packages, with two packages. */
const packages = (koa: string, more: object = {}) =>
  JSON.stringify({
    packages: {
      "": { name: "house" },
      "node_modules/koa": { version: koa, integrity: `sha512-${koa}` },
      ...more,
    },
  });

/** A clone with everything installed and built, as after `npm ci`. */
function clone() {
  const root = mkdtempSync(path.join(tmpdir(), "bootstrap-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["build", ".cache", "node_modules"].map((name) => path.join(root, name))) {
    mkdirSync(folder, { recursive: true });
  }
  cpSync(path.join(import.meta.dirname, "bootstrap.mjs"), path.join(root, "build", "bootstrap.mjs"));
  const elsewhere = { "node_modules/fsevents": { version: "2.3.3", optional: true } };
  writeFileSync(path.join(root, "package-lock.json"), packages("3.0.0", elsewhere));
  writeFileSync(path.join(root, "node_modules", ".package-lock.json"), packages("3.0.0"));
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [path.join(root, "build", "bootstrap.mjs"), ...args]);
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  return { root, pidFile: path.join(root, ".cache", "bootstrap.pid"), run };
}

async function endOf(child: ChildProcess): Promise<{ code: number; output: string }> {
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

it("bootstrap waits while another process of the clone installs or builds", async () => {
  const { pidFile, run } = clone();
  writeFileSync(pidFile, String(process.pid));
  const child = run();
  const end = endOf(child);
  const [output] = (await once(child.stderr, "data")) as [Buffer];
  expect(output.toString()).toContain(`waiting for another process (${process.pid})`);
  expect(child.exitCode).toBeNull();
  rmSync(pidFile);
  expect((await end).code).toBe(0);
  expect(existsSync(pidFile)).toBe(false);
});

it("bootstrap goes on after a process that was killed, or that is from before the machine started", async () => {
  const { pidFile, run } = clone();
  const killed = spawn(process.execPath, ["-e", ""]);
  await once(killed, "close");
  writeFileSync(pidFile, String(killed.pid));
  expect(await endOf(run())).toEqual({ code: 0, output: "" });
  writeFileSync(pidFile, String(process.pid));
  utimesSync(pidFile, 0, 0);
  expect(await endOf(run())).toEqual({ code: 0, output: "" });
});

it("bootstrap goes on after a process that could not write its id, as on a full disk", async () => {
  const { pidFile, run } = clone();
  writeFileSync(pidFile, "");
  const aMinuteAgo = Date.now() / 1000 - 60;
  utimesSync(pidFile, aMinuteAgo, aMinuteAgo);
  expect(await endOf(run())).toEqual({ code: 0, output: "" });
  expect(existsSync(pidFile)).toBe(false);
});

it("bootstrap does not replace packages while tests run on them", async () => {
  const { root, run } = clone();
  expect((await endOf(run("--keep-packages"))).code).toBe(0);
  const refused = {
    code: 1,
    output: "comanda: the packages are not those of package-lock.json: run `npm run bootstrap`\n",
  };
  writeFileSync(path.join(root, "package-lock.json"), packages("3.0.1"));
  expect(await endOf(run("--keep-packages"))).toEqual(refused);
  // An interrupted installation has no record.
  writeFileSync(path.join(root, "package-lock.json"), packages("3.0.0"));
  rmSync(path.join(root, "node_modules", ".package-lock.json"));
  expect(await endOf(run("--keep-packages"))).toEqual(refused);
});
