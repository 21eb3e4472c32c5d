// @module-tag long
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { listBackups } from "../../db/backups/backup-files.ts";
import { tempFolder, hubEnv } from "../support/data/data-files.ts";
import { runHubToEnd, startHubProgram } from "../support/start-hub-program.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

interface FileFacts {
  mode: string;
  isFolder: boolean;
}

/** Returns the files below a folder by relative path. Skips links and files removed during the walk. */
function filesBelow(root: string): Map<string, FileFacts> {
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((name): [string, FileFacts][] => {
    const facts = lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (facts === undefined || facts.isSymbolicLink()) return [];
    return [[name, { mode: (facts.mode & 0o777).toString(8), isFolder: facts.isDirectory() }]];
  });
  return new Map(found);
}

function expectPrivate(files: Map<string, FileFacts>): void {
  for (const [name, { mode, isFolder }] of files) expect(`${name} ${mode}`).toBe(`${name} ${isFolder ? 700 : 600}`);
}

const isWindows = process.platform === "win32";

describe.skipIf(isWindows)("the hub's files", () => {
  it("the hub's files are readable by its own account alone, whatever the umask [DB-32]", async () => {
    const root = tempFolder();
    const dbPath = path.join(root, "deep", "data", "hub.sqlite");
    const open = { shell: "umask 000" };
    const first = await startHubProgram(hubEnv(dbPath), { ...open, args: ["--empty"] });
    const backups = path.join(path.dirname(dbPath), "backups");
    await until("a daily backup", () => listBackups(backups).length === 1, 20_000);
    const running = filesBelow(root);
    expect([...running.keys()]).toEqual(expect.arrayContaining(["hub.sqlite-wal", "hub.sqlite.lock"].map(inData)));
    expectPrivate(running);
    await first.end("SIGKILL");
    // A start after a crash, a damaged file and a restore make the hub write every kind of note and copy.
    await (await startHubProgram(hubEnv(dbPath), open)).end("SIGTERM");
    writeFileSync(dbPath, Buffer.alloc(8192, 0x5a));
    chmodSync(dbPath, 0o600);
    expect((await runHubToEnd(hubEnv(dbPath), open)).code).toBe(1);
    const [backup] = listBackups(backups);
    const restored = await runHubToEnd(hubEnv(dbPath), { ...open, args: ["restore", backup?.path ?? ""] });
    expect(restored).toMatchObject({ code: 0 });
    await (await startHubProgram(hubEnv(dbPath), open)).end("SIGTERM");
    const all = filesBelow(root);
    expect([...all.keys()].some((name) => name.includes(".damaged-"))).toBe(true);
    expectPrivate(all);
  });

  it("the hub tightens its own files at the start, but neither folders nor other files [DB-33]", async () => {
    const hub = await startTestHub();
    await until("a backup", () => listBackups(path.join(path.dirname(hub.dbPath), "backups")).length === 1, 20_000);
    await hub.hub.stop();
    const root = tempFolder();
    cpSync(path.dirname(hub.dbPath), root, { recursive: true });
    await hub.restart();
    const dbPath = path.join(root, "hub.sqlite");
    mkdirSync(path.join(root, "elsewhere"));
    const others = ["notes.txt", "hub.sqlite2", "elsewhere/target", "backups/holiday.jpg"];
    for (const name of others) writeFileSync(path.join(root, name), "x");
    writeFileSync(`${dbPath}.replaced-2026-01-01T00-00-00-000Z`, "x");
    symlinkSync(path.join(root, "elsewhere/target"), `${dbPath}.damaged-link`);
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      const file = path.join(root, name);
      if (!lstatSync(file).isSymbolicLink()) chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
    }
    await (await startHubProgram(hubEnv(dbPath))).end("SIGTERM");
    const files = filesBelow(root);
    expect(files.get("backups")?.mode).toBe("755");
    for (const name of others) expect(`${name} ${files.get(name)?.mode}`).toBe(`${name} 644`);
    const hubFiles = [...files].filter(([name, { isFolder }]) => !isFolder && !others.includes(name));
    expect(hubFiles.length).toBeGreaterThanOrEqual(4);
    expectPrivate(new Map(hubFiles));
  });

  it("doctor names the files that others may read [DB-34]", async () => {
    const dbPath = path.join(tempFolder(), "hub.sqlite");
    await (await startHubProgram(hubEnv(dbPath))).end("SIGTERM");
    const filesFinding = async () => {
      const { stdout } = await runHubToEnd(hubEnv(dbPath), { args: ["doctor", "--json"] });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
      return findings.find(({ check }) => check === "files");
    };
    expect(await filesFinding()).toMatchObject({ ok: true });
    chmodSync(dbPath, 0o640);
    expect(await filesFinding()).toMatchObject({ ok: false, detail: expect.stringContaining(dbPath) });
  });
});

function inData(name: string): string {
  return path.join("deep", "data", name);
}
