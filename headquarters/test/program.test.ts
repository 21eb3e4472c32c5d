import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it, vi } from "vitest";
import { missingNats } from "./nats-server.ts";
import { emptyFolder, testFolder } from "./test-folder.ts";

const main = path.resolve(import.meta.dirname, "../main.ts");
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});

interface Program {
  child: ChildProcess;
  lines: string[];
  errors: string[];
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  /** Its address, when it serves. */
  url(): Promise<string>;
}

function start(environment: NodeJS.ProcessEnv): Program {
  const env = { ...process.env, HQ_PORT: "0", ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"], cwd: emptyFolder() });
  running.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const ended = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const prefix = "listening on ";
  const url = () =>
    vi.waitUntil(() => lines.find((line) => line.startsWith(prefix))?.slice(prefix.length), { timeout: 25_000 });
  return { child, lines, errors, ended, url };
}

const natsPid = (folder: string): number => Number(readFileSync(path.join(folder, "nats", "nats.pid"), "utf8"));
const natsPort = (folder: string): string => readFileSync(path.join(folder, "nats", "port"), "utf8");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and whose parent has not asked for it yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function health(url: string): Promise<unknown> {
  return fetch(`${url}/health`).then((answer) => answer.json());
}

it("[HQ-1] names every setting that cannot be used", async () => {
  const program = start({ HQ_PORT: "70000", HQ_DATABASE_URL: "mysql://here" });
  expect(await program.ended).toBe(1);
  expect(program.errors.join("\n")).toMatch(/HQ_PORT[^]*HQ_DATABASE_URL: has to begin with postgres:/);
});

describe.skipIf(missingNats !== null)("headquarters as a program", () => {
  it("[HQ-1, HQ-2, HQ-3, HQ-4, HQ-5] serve, keep their NATS server alive, and end with it", async () => {
    const folder = await testFolder();
    const first = start({ HQ_DATA_DIR: folder });
    const url = await first.url();
    expect(await health(url)).toEqual({ status: "ok", reasons: [] });
    expect(first.lines.filter((line) => !line.startsWith("{"))).toEqual([`listening on ${url}`]);
    const port = natsPort(folder);

    const server = natsPid(folder);
    process.kill(server, "SIGKILL");
    await vi.waitUntil(() => natsPid(folder) !== server, { timeout: 10_000 });
    await vi.waitFor(async () => expect(await health(url)).toEqual({ status: "ok", reasons: [] }), { timeout: 10_000 });
    expect(natsPort(folder)).toBe(port);

    const second = start({ HQ_DATA_DIR: folder });
    expect(await second.ended).toBe(1);
    expect(second.errors.join("\n")).toContain("run already");
    expect(await health(url)).toEqual({ status: "ok", reasons: [] });

    const last = natsPid(folder);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(isAlive(last)).toBe(false);
  });

  it("[HQ-2, HQ-4] ends what a killed program left behind, and starts at the same port", async () => {
    const folder = await testFolder();
    const killed = start({ HQ_DATA_DIR: folder });
    await killed.url();
    const left = natsPid(folder);
    const port = natsPort(folder);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(isAlive(left)).toBe(true);

    const next = start({ HQ_DATA_DIR: folder });
    expect(await health(await next.url())).toEqual({ status: "ok", reasons: [] });
    expect([isAlive(left), natsPort(folder)]).toEqual([false, port]);
  });
});
