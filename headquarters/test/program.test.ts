import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { endProgram, type Program, startProgram } from "./headquarters-program.ts";
import { missingNats } from "./nats-server.ts";
import { startTestHeadquarters } from "./start-test-headquarters.ts";
import { emptyFolder, testFolder } from "./test-folder.ts";

const running: Program[] = [];

afterEach(async () => {
  for (const program of running.splice(0)) await endProgram(program);
});

function start(environment: NodeJS.ProcessEnv, cwd?: string): Program {
  const program = startProgram(environment, cwd);
  running.push(program);
  return program;
}

const natsPid = (folder: string): number => Number(readFileSync(path.join(folder, "nats", "nats.pid"), "utf8"));
const natsPort = (folder: string): string => readFileSync(path.join(folder, "nats", "port"), "utf8");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie has ended, but its parent has not reaped it yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function health(url: string): Promise<unknown> {
  return fetch(`${url}/health`).then((answer) => answer.json());
}

it("every invalid setting is named at the start [HQ-1]", async () => {
  const program = start({ HQ_PORT: "70000", HQ_DATABASE_URL: "mysql://here" });
  expect(await program.ended).toBe(1);
  expect(program.errors.join("\n")).toMatch(/HQ_PORT[^]*HQ_DATABASE_URL: has to begin with postgres:/);
});

it("settings are read from a .env file, also one written by Windows, and the environment overrides it [HQ-202]", async () => {
  const folder = emptyFolder();
  writeFileSync(path.join(folder, ".env"), "\uFEFFHQ_DATABASE_URL=mysql://here\r\nHQ_PORT=70000\r\n", "utf16le");
  const program = start({}, folder);
  expect(await program.ended).toBe(1);
  expect(program.errors.join("\n")).toMatch(/^HQ_DATABASE_URL: has to begin with postgres:/);
  expect(program.errors.join("\n")).not.toContain("HQ_PORT");
});

it("a database that does not answer is reported with the name of its setting [HQ-1]", async () => {
  // Nothing listens on port 1, which is reserved.
  const program = start({ HQ_DATABASE_URL: "postgres://hq@127.0.0.1:1/hq" });
  expect(await program.ended).toBe(1);
  expect(program.errors.join("\n")).toContain("the database of HQ_DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1");
});

it("a users' file that cannot be written is reported with the name of its setting [HQ-1]", async () => {
  const program = start({ HQ_DATA_DIR: await testFolder(), HQ_NATS_USERS_FILE: "/no/such/folder/users.conf" });
  expect(await program.ended).toBe(1);
  expect(program.errors.join("\n")).toContain("the users' file of HQ_NATS_USERS_FILE: ENOENT");
});

it(
  "headquarters wait for a NATS server, and name the setting of one that stays away [HQ-1]",
  { tags: "long" },
  async () => {
    const program = start({ HQ_DATA_DIR: await testFolder(), HQ_NATS_URL: "nats://127.0.0.1:1" });
    await vi.waitUntil(() => program.lines.some((line) => line.includes("waiting for it")), { timeout: 60_000 });
    expect(await program.ended).toBe(1);
    expect(program.errors.join("\n")).toContain("the NATS server of HQ_NATS_URL: connection refused");
  },
);

describe.skipIf(missingNats !== null)("headquarters as a program", () => {
  it("headquarters serve, keep their NATS server running, and end together with it [HQ-1, HQ-2, HQ-3, HQ-4, HQ-5]", async () => {
    const folder = await testFolder();
    const first = start({ HQ_DATA_DIR: folder });
    const url = await first.url();
    expect(await health(url)).toEqual({ status: "ok", reasons: [] });
    expect(first.lines.filter((line) => !line.startsWith("{"))).toEqual([`listening on ${url}`]);
    const port = natsPort(folder);

    const server = natsPid(folder);
    process.kill(server, "SIGKILL");
    await vi.waitUntil(() => natsPid(folder) !== server, { timeout: 10_000 });
    await vi.waitFor(async () => expect(await health(url)).toEqual({ status: "ok", reasons: [] }), {
      timeout: 10_000,
    });
    expect(natsPort(folder)).toBe(port);

    const second = start({ HQ_DATA_DIR: folder });
    expect(await second.ended).toBe(1);
    expect(second.errors.join("\n")).toContain("run already");
    const other = start({ HQ_DATA_DIR: await testFolder(), HQ_PORT: new URL(url).port });
    expect(await other.ended).toBe(1);
    expect(other.errors.join("\n")).toContain("HQ_HOST and HQ_PORT: listen EADDRINUSE");
    expect(await health(url)).toEqual({ status: "ok", reasons: [] });

    const last = natsPid(folder);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(isAlive(last)).toBe(false);
  });

  it("a start ends the processes that a killed program left behind, and keeps the port [HQ-2, HQ-4]", async () => {
    const folder = await testFolder();
    const killed = start({ HQ_DATA_DIR: folder });
    await killed.url();
    const orphan = natsPid(folder);
    const port = natsPort(folder);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(isAlive(orphan)).toBe(true);

    const next = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    onTestFinished(() => next.stop());
    expect(await health(next.url)).toEqual({ status: "ok", reasons: [] });
    expect([isAlive(orphan), natsPort(folder)]).toEqual([false, port]);
  });

  /** Starts and stops headquarters, then another program on the port of their NATS server. */
  async function occupyPort(): Promise<{ folder: string; port: number; other: Server }> {
    const folder = await testFolder();
    await (await startTestHeadquarters({ HQ_DATA_DIR: folder })).stop();
    const port = Number(natsPort(folder));
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    return { folder, port, other };
  }

  it("headquarters wait for the port of their NATS server, which no outgoing connection can take [HQ-2]", async () => {
    const { folder, port, other } = await occupyPort();
    expect(port).toBeLessThan(32_768);
    const next = start({ HQ_DATA_DIR: folder });
    await vi.waitUntil(() => next.lines.some((line) => line.includes("waiting for it")), { timeout: 30_000 });
    other.close();
    expect(await health(await next.url())).toEqual({ status: "ok", reasons: [] });
    expect(natsPort(folder)).toBe(String(port));
  });

  it(
    "headquarters refuse to start if another program keeps the NATS port in use, and name it [HQ-2]",
    { tags: "long" },
    async () => {
      const { folder, port } = await occupyPort();
      const next = start({ HQ_DATA_DIR: folder });
      expect(await next.ended).toBe(1);
      expect(next.errors.join("\n")).toContain(`port ${port} of loopback, which restaurants know, is in use`);
    },
  );
});
