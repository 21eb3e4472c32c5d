import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** A clone in which nothing is to be installed or built. */
function clone() {
  const root = mkdtempSync(path.join(tmpdir(), "bootstrap-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const stamps = path.join(root, "node_modules", ".comanda");
  for (const folder of [path.join(root, "build"), path.join(root, ".cache"), stamps]) {
    mkdirSync(folder, { recursive: true });
  }
  cpSync(path.join(import.meta.dirname, "bootstrap.mjs"), path.join(root, "build", "bootstrap.mjs"));
  writeFileSync(path.join(root, "package-lock.json"), "{}");
  const digest = createHash("sha256").update("package-lock.json\0{}\0").digest("hex");
  writeFileSync(path.join(stamps, "install"), digest);
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [path.join(root, "build", "bootstrap.mjs"), ...args]);
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  return { root, pidFile: path.join(root, ".cache", "bootstrap.pid"), run };
}

async function endOf(child: ChildProcess): Promise<{ code: number; said: string }> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, said };
}

it("waits while another process of the clone installs or builds", async () => {
  const { pidFile, run } = clone();
  writeFileSync(pidFile, String(process.pid));
  const child = run();
  const end = endOf(child);
  const [words] = (await once(child.stderr, "data")) as [Buffer];
  expect(words.toString()).toContain(`waiting for another process (${process.pid})`);
  expect(child.exitCode).toBeNull();
  rmSync(pidFile);
  expect((await end).code).toBe(0);
  expect(existsSync(pidFile)).toBe(false);
});

it("goes on where the other was killed, or was there before the machine started", async () => {
  const { pidFile, run } = clone();
  const killed = spawn(process.execPath, ["-e", ""]);
  await once(killed, "close");
  writeFileSync(pidFile, String(killed.pid));
  expect(await endOf(run())).toEqual({ code: 0, said: "" });
  writeFileSync(pidFile, String(process.pid));
  utimesSync(pidFile, 0, 0);
  expect(await endOf(run())).toEqual({ code: 0, said: "" });
});

it("does not take the packages away from tests that run on them", async () => {
  const { root, run } = clone();
  expect((await endOf(run("--keep-packages"))).code).toBe(0);
  writeFileSync(path.join(root, "package-lock.json"), "{ }");
  expect(await endOf(run("--keep-packages"))).toEqual({
    code: 1,
    said: "comanda: the packages are not those of package-lock.json: run `npm run bootstrap`\n",
  });
});
