// @module-tag long
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { freePort } from "../support/free-port.ts";
import { failingDisk, smallDisk } from "../support/data/small-disk.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { runHubToEnd, spawnHub, startHubProgram } from "../support/start-hub-program.ts";
import { until } from "../support/until.ts";

function folder(): string {
  const created = mkdtempSync(path.join(tmpdir(), "hub-program-"));
  onTestFinished(() => rmSync(created, { recursive: true, force: true }));
  return created;
}

/** Returns the settings of a program that uses the shared back-office. */
async function settings(overrides: Record<string, string> = {}) {
  const hub = await startTestHub();
  const env = {
    HUB_DB_PATH: path.join(folder(), "hub.sqlite"),
    HUB_HTTP_PORT: "0",
    ERP_URL: hub.backOffice.url,
    HUB_LOG_LEVEL: "info",
    ...overrides,
  };
  return { env, backOffice: hub.backOffice, signIn: hub.signIn };
}

const canOnlyBeRead = {
  code: 1,
  stdout: "",
  stderr: expect.stringMatching(/cannot be used: its disk can only be read\.\n$/),
};

const order = (posReference: string, overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion: 0,
  snapshot: terminalSnapshot(overrides),
});

describe("starting", () => {
  it.each(["127.0.0.1", "::ffff:127.0.0.1"])(
    "the hub prints one plain line with its address when it is ready at %s, and JSON otherwise [HUB-10]",
    async (host) => {
      const { env } = await settings({ HUB_HOST: host });
      const program = await startHubProgram(env);
      expect((await fetch(`${program.url}/health`)).status).toBe(200);
      await program.end("SIGTERM");
      const plain = program.lines.filter((line) => !line.startsWith("{"));
      expect(plain).toEqual([`listening on ${program.url}`]);
      for (const line of program.lines) if (line.startsWith("{")) JSON.parse(line);
      expect(program.lines.join("\n")).not.toMatch(/"password"|session_id/);
    },
  );

  it("the hub keeps serving, and stops on a signal, after the reader of its output has gone [HUB-11]", async () => {
    const { env } = await settings({ HUB_LOG_LEVEL: "trace" });
    const program = await startHubProgram(env);
    program.child.stdout?.destroy();
    program.child.stderr?.destroy();
    for (let each = 0; each < 20; each += 1) expect((await fetch(`${program.url}/health`)).status).toBe(200);
    expect(await program.end("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  it("the hub starts, and stops on a signal, when its output is never read [HUB-11]", async () => {
    const { env } = await settings({ HUB_HTTP_PORT: String(await freePort()) });
    // The output pipe is closed before the hub writes its first line.
    const shell = "exec > >(exec true) 2>&1; sleep 0.2";
    const child = spawnHub(env, { shell });
    const url = `http://127.0.0.1:${env.HUB_HTTP_PORT}/health`;
    await until("it serves", () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  it("a port in use is refused in one sentence [HUB-12]", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { env } = await settings({ HUB_HTTP_PORT: String(port) });
    const { code, stderr } = await runHubToEnd(env);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`${port}`);
    expect(stderr).toContain("in use");
  });

  it.each(["203.0.113.9", "no.such.host.invalid"])(
    "the host %s, which is not this machine's, is refused with what is allowed [HUB-49]",
    async (host) => {
      const { env } = await settings({ HUB_HOST: host });
      expect(await runHubToEnd(env)).toMatchObject({
        code: 1,
        stderr: `HUB_HOST is "${host}", but must be an address of this machine.\n`,
      });
    },
  );

  it("bad settings are refused in one sentence [HUB-2]", async () => {
    const { code, stderr, stdout } = await runHubToEnd({ HUB_LEASE_TTL_MS: "soon", HUB_DEV_AUTH: "perhaps" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    for (const part of ["HUB_LEASE_TTL_MS", '"soon"', "200", "HUB_DEV_AUTH", '"perhaps"', "true or false"]) {
      expect(stderr).toContain(part);
    }
  });

  it("a .env file is read, and the environment wins over it [HUB-5]", async () => {
    const { env } = await settings({ HUB_GRACE_MS: "1234" });
    const cwd = folder();
    writeFileSync(path.join(cwd, ".env"), "HUB_HEARTBEAT_MS=4321\nHUB_GRACE_MS=9999\n");
    const program = await startHubProgram({ ...env, HUB_DEV_AUTH: "true" }, { cwd });
    const terminal = await program.terminal("", "till");
    expect(terminal.hello).toMatchObject({ heartbeatMs: 4321, graceMs: 1234 });
    await program.end("SIGTERM");
  });
});

describe("ending", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("the hub ends cleanly on %s and loses nothing [HUB-11]", async (signal) => {
    const { env, signIn } = await settings();
    const program = await startHubProgram(env);
    const terminal = await program.terminal(await signIn("cashier"), "till");
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let i = 0; ; i += 1) {
        await terminal.change(order(`E${i}`));
        acknowledged.push(`E${i}`);
      }
    })().catch(() => {});
    await until("some writes", () => acknowledged.length > 20);
    expect(await program.end(signal)).toEqual({ code: 0, signal: null });
    await writing;
    expect(await terminal.closed).toBe(1001);
    const again = await startHubProgram(env);
    const { sync } = await again.terminal(await signIn("cashier"), "till");
    expect(sync.orders.map((each) => each.posReference)).toEqual(expect.arrayContaining(acknowledged));
    await again.end("SIGTERM");
  });

  it("the hub ends without waiting for a back-office that hangs [HUB-11]", async () => {
    const { env, backOffice } = await settings({ HUB_STATE_POLL_MS: "200" });
    await backOffice.control("POST", "/faults", { faults: [{ path: "/pos-api/*", action: "hang-before" }] });
    const program = await startHubProgram(env);
    await until("a call that hangs", async () => {
      const { requests } = await backOffice.control("GET", "/requests");
      return requests.some((request: { fault: string | null }) => request.fault === "hang-before");
    });
    let end: { code: number | null } | undefined;
    void program.end("SIGTERM").then((result) => (end = result));
    expect(await until("its end", () => end, 8_000)).toMatchObject({ code: 0 });
    await backOffice.control("DELETE", "/faults");
  });

  it("a SIGKILL loses nothing that was acknowledged [HUB-13]", async () => {
    const { env, signIn } = await settings();
    const token = await signIn("cashier");
    const acknowledged: string[] = [];
    for (let life = 0; life < 3; life += 1) {
      const program = await startHubProgram(env);
      const terminals = await Promise.all(["a", "b", "c"].map((deviceId) => program.terminal(token, deviceId)));
      const writing = Promise.allSettled(
        terminals.map(async (terminal, which) => {
          for (let i = 0; ; i += 1) {
            const posReference = `K${life}-${which}-${i}`;
            await terminal.change(order(posReference));
            acknowledged.push(posReference);
          }
        }),
      );
      const target = acknowledged.length + 50;
      await until("some writes", () => acknowledged.length >= target);
      expect(await program.end("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
      await writing;
    }
    const program = await startHubProgram(env);
    const { sync, next, received } = await program.terminal(token, "looks");
    for (let page = sync; page.more;) page = await next("SYNC");
    const stored = received.flatMap((message) => (message.type === "SYNC" ? message.orders : []));
    const references = new Set(stored.map((each) => each.posReference));
    expect(acknowledged.filter((posReference) => !references.has(posReference))).toEqual([]);
    expect(references.size).toBe(stored.length);
    expect(stored.every((each) => each.version === 1)).toBe(true);
    await program.end("SIGTERM");
  });
});

describe("full and read-only disks", () => {
  it("on a full disk writes are refused, data is kept, people are admitted, and writes work with new space [HUB-30, HUB-31, DB-27]", async () => {
    const { env, signIn } = await settings({ HUB_LOG_LEVEL: "fatal" });
    // A file size limit simulates a full disk: writes fail in the same way.
    const program = await startHubProgram(env, { shell: `trap "" XFSZ; ulimit -S -f 2048` });
    const till = await program.terminal(await signIn("cashier"), "till");
    const lines = Array.from({ length: 100 }, (_, i) => ({ id: `l${i}`, quantity: 1, note: "x".repeat(400) }));
    const acknowledged: string[] = [];
    let refused: Record<string, unknown> | undefined;
    for (let i = 0; i < 200 && refused === undefined; i += 1) {
      await till.change(order(`D${i}`, { lines })).then(
        () => acknowledged.push(`D${i}`),
        (error: Record<string, unknown>) => (refused = error),
      );
    }
    expect(refused).toMatchObject({ errorCode: "STORAGE_FULL", retryable: true });
    expect(acknowledged.length).toBeGreaterThan(5);
    expect((await program.health()).reasons).toContain("data_file");
    const later = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => till.change(order(`L${i}`, { lines }))));
    expect(later.filter((outcome) => outcome.status === "fulfilled")).toEqual([]);
    expect(await till.request({ type: "LEASE_ACQUIRE", posReference: "D0" })).toMatchObject({
      type: expect.stringMatching(/ERROR|LEASE_GRANTED/),
    });

    const newcomer = await program.terminal(await signIn("manager"), "boss");
    for (let page = newcomer.sync; page.more;) page = await newcomer.next("SYNC");
    const orders = newcomer.received.flatMap((message) => (message.type === "SYNC" ? message.orders : []));
    expect(orders.map((each) => each.posReference)).toEqual(acknowledged);
    expect((await program.health()).orders).toBe(acknowledged.length);

    spawnSync("prlimit", ["--pid", String(program.child.pid), "--fsize=unlimited"]);
    const { seq } = await till.change(order("AFTER", { lines }));
    expect(seq).toBe(acknowledged.length + 1);
    await newcomer.next("ORDER_CHANGED", (message) => message.posReference === "AFTER");
    await until("the disk works", async () => !(await program.health()).reasons.includes("data_file"));
    expect(await program.end("SIGTERM")).toEqual({ code: 0, signal: null });
    const again = await startHubProgram(env);
    expect((await again.health()).orders).toBe(acknowledged.length + 1);
    await again.end("SIGTERM");
  });

  it("the hub starts on a full disk, shows everything, and accepts writes again when there is space [HUB-151]", async () => {
    const disk = smallDisk(path.join(folder(), "disk"));
    if (!disk.isReal) return;
    const { env: common, signIn } = await settings({ HUB_LOG_LEVEL: "fatal" });
    const env = { ...common, HUB_DB_PATH: path.join(path.dirname(disk.folder), "hub.sqlite") };
    const first = await startHubProgram(env);
    const till = await first.terminal(await signIn("cashier"), "till");
    for (let i = 0; i < 20; i += 1) await till.change(order(`D${i}`));
    expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null });
    disk.fillCompletely();

    const program = await startHubProgram(env);
    const again = await program.terminal(await signIn("cashier"), "till");
    expect(again.sync.orders).toHaveLength(20);
    expect((await program.health()).reasons).toContain("disk_low");
    disk.fillCompletely();
    const lines = Array.from({ length: 100 }, (_, i) => ({ id: `l${i}`, quantity: 1, note: "x".repeat(400) }));
    let refused: Record<string, unknown> | undefined;
    for (let i = 0; i < 200 && refused === undefined; i += 1) {
      await again.change(order(`L${i}`, { lines })).catch((error: Record<string, unknown>) => (refused = error));
    }
    expect(refused).toMatchObject({ errorCode: "STORAGE_FULL", retryable: true });
    expect((await program.health()).reasons).toEqual(expect.arrayContaining(["data_file", "disk_low"]));
    disk.freeSpace();
    await until("the disk works", async () => !(await program.health()).reasons.includes("data_file"));
    expect(await again.change(order("AFTER", { lines }))).toMatchObject({ posReference: "AFTER" });
    expect(await program.end("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  it("a read-only disk is reported in one sentence [HUB-255]", async () => {
    const disk = smallDisk(path.join(folder(), "disk"));
    if (!disk.isReal) return;
    const mounted = path.dirname(disk.folder);
    const { env: common } = await settings({ HUB_LOG_LEVEL: "fatal" });
    const env = { ...common, HUB_DB_PATH: path.join(mounted, "hub.sqlite") };
    await (await startHubProgram(env)).end("SIGTERM");
    const remount = (how: "ro" | "rw") => spawnSync("mount", ["-o", `remount,${how}`, mounted]);
    remount("ro");
    expect(await runHubToEnd(env)).toEqual(canOnlyBeRead);
    remount("rw");
    rmSync(`${env.HUB_DB_PATH}.reserve`);
    remount("ro");
    expect(await runHubToEnd(env)).toEqual(canOnlyBeRead);
    remount("rw");
    await (await startHubProgram(env)).end("SIGTERM");
  });

  it("a failed disk that the system reports as writable is reported in one sentence [HUB-255]", async () => {
    const disk = failingDisk(folder());
    if (disk === null) return;
    const { env: common } = await settings({ HUB_LOG_LEVEL: "fatal" });
    const env = { ...common, HUB_DB_PATH: path.join(disk.folder, "hub.sqlite") };
    await (await startHubProgram(env)).end("SIGTERM");
    disk.fail();
    expect(await runHubToEnd(env)).toEqual(canOnlyBeRead);
  });

  it("the hub exits with 0 while the disk is full, and keeps everything acknowledged [HUB-32]", async () => {
    const { env, signIn } = await settings({ HUB_LOG_LEVEL: "fatal" });
    const program = await startHubProgram(env, { shell: `trap "" XFSZ` });
    const till = await program.terminal(await signIn("cashier"), "till");
    for (let i = 0; i < 20; i += 1) await till.change(order(`D${i}`));
    // No file may grow: not even the WAL takes another byte.
    spawnSync("prlimit", ["--pid", String(program.child.pid), "--fsize=1"]);
    await expect(till.change(order("REFUSED"))).rejects.toMatchObject({ errorCode: "STORAGE_FULL" });
    expect(await program.end("SIGTERM")).toEqual({ code: 0, signal: null });
    const again = await startHubProgram(env);
    expect((await again.health()).orders).toBe(20);
    await again.end("SIGTERM");
  });
});
