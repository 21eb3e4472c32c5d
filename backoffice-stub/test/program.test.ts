// @module-tag long
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { order } from "./builders.ts";
import { rpc, send } from "./start-test-back-office.ts";

const program = join(import.meta.dirname, "..", "main.ts");

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "backoffice-program-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function start(cwd: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", BACKOFFICE_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Returns the address from the listening line. Every earlier line must be JSON. */
async function listening(child: ChildProcess): Promise<string> {
  for await (const text of createInterface({ input: child.stdout! })) {
    const url = /^listening on (http:\/\/\S+)$/.exec(text)?.[1];
    if (url !== undefined) return url;
    JSON.parse(text);
  }
  throw new Error("it ended without listening");
}

async function refusal(cwd: string, env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = start(cwd, env);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await send(
    url,
    "POST",
    "/web/session/authenticate",
    rpc({ db: "demo", login: "manager", password: "manager" }),
  );
  return { cookie: /session_id=[^;]+/.exec(answer.setCookie ?? "")?.[0] ?? "" };
}

describe("npm run backoffice", () => {
  it("the stand-in prints where it listens, and stops on SIGTERM and SIGINT with exit 0 [BO-90]", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const child = start(folder(), {});
      const url = await listening(child);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await send(url, "GET", "/stub/v1/orders")).status).toBe(200);
      child.kill(signal);
      expect((await once(child, "close"))[0]).toBe(0);
    }
  });

  it("a killed stand-in has everything that it acknowledged [BO-91]", async () => {
    const cwd = folder();
    const first = start(cwd, {});
    const firstUrl = await listening(first);
    const headers = await signIn(firstUrl);
    const answers: unknown[] = [];
    for (let index = 0; index < 20; index += 1) {
      await send(firstUrl, "POST", "/pos-api/v1/orders/create", order(`POS/${index}`), headers);
      const reserve = { pos_reference: `POS/${index}`, type: "B02" };
      answers.push((await send(firstUrl, "POST", "/pos-api/v1/orders/reserve-ncf", reserve, headers)).body);
    }
    const stored = (await send(firstUrl, "GET", "/stub/v1/orders")).body;
    first.kill("SIGKILL");
    await once(first, "close");

    const second = start(cwd, {});
    const secondUrl = await listening(second);
    expect((await send(secondUrl, "GET", "/stub/v1/orders")).body).toEqual(stored);
    for (let index = 0; index < 20; index += 1) {
      const reserve = { pos_reference: `POS/${index}`, type: "B02" };
      const again = await send(secondUrl, "POST", "/pos-api/v1/orders/reserve-ncf", reserve, headers);
      expect(again).toMatchObject({ status: 200, body: answers[index] });
    }
  });

  it("a .env file is read, and the environment wins over it [BO-92]", async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, ".env"),
      "\uFEFFBACKOFFICE_HOST=127.0.0.2\nBACKOFFICE_DB_PATH=./of-env.sqlite\nBACKOFFICE_PORT=1\n",
    );
    const url = await listening(start(cwd, {}));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d{2,}$/);
    const database = new Database(join(cwd, "of-env.sqlite"), { timeout: 0 });
    expect(() => database.prepare("SELECT 1 FROM setting").get()).toThrow("database is locked");
    database.close();
  });

  it("a variable that begins like a setting but is none causes a warning [HUB-244]", async () => {
    const child = start(folder(), { BACKOFFICE_PROT: "1" });
    const lines: string[] = [];
    for await (const text of createInterface({ input: child.stdout! })) {
      if (text.startsWith("listening on ")) break;
      lines.push(text);
    }
    const [warning] = lines.map((text) => JSON.parse(text) as { level: string; msg: string });
    expect(warning).toMatchObject({
      level: "warn",
      msg: "BACKOFFICE_PROT is no setting and is ignored: is BACKOFFICE_PORT meant?",
    });
  });

  it("a bad setting exits with 1 and one sentence [BO-93]", async () => {
    const cwd = folder();
    for (const value of ["abc", "65536", "-1", "80.5"]) {
      expect(await refusal(cwd, { BACKOFFICE_PORT: value })).toEqual({
        code: 1,
        stderr: `BACKOFFICE_PORT is "${value}", but it must be a whole number from 0 to 65535.\n`,
      });
    }
  });

  it.each(["203.0.113.9", "no.such.host.invalid"])(
    "the host %s, which is not this machine's, exits with 1 and one sentence [BO-93]",
    async (host) => {
      expect(await refusal(folder(), { BACKOFFICE_HOST: host })).toEqual({
        code: 1,
        stderr: `BACKOFFICE_HOST is "${host}", but it must be an address of this machine.\n`,
      });
    },
  );

  it("a port in use exits with 1 and one sentence [BO-94]", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await refusal(folder(), { BACKOFFICE_PORT: String(port) })).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is in use (BACKOFFICE_PORT): choose another or stop the program that uses it.\n`,
    });
  });

  it("an unusable data file exits with 1 and one sentence [BO-95]", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "text.sqlite"), "this is no database, and long enough to be read as a header".repeat(20));
    const newer = new Database(join(cwd, "newer.sqlite"));
    newer.pragma("user_version = 99");
    newer.close();
    const other = new Database(join(cwd, "other.sqlite"));
    other.exec("CREATE TABLE recipe (name TEXT)");
    other.close();
    const before = readFileSync(join(cwd, "other.sqlite"));
    const running = start(cwd, { BACKOFFICE_DB_PATH: "taken.sqlite" });
    await listening(running);
    for (const [path, reason] of [
      ["text.sqlite", "file is not a database"],
      ["newer.sqlite", "it was written by a newer version (99)"],
      ["other.sqlite", "it is no data file of the back-office"],
      ["missing/folder/data.sqlite", "Cannot open database because the directory does not exist"],
      ["taken.sqlite", "another program has it open"],
    ] as const) {
      expect(await refusal(cwd, { BACKOFFICE_DB_PATH: path })).toEqual({
        code: 1,
        stderr: `The data file ${path} (BACKOFFICE_DB_PATH) cannot be used: ${reason}.\n`,
      });
    }
    expect(readFileSync(join(cwd, "other.sqlite")).equals(before)).toBe(true);
  });
});
