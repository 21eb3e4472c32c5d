import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { startBackOffice } from "../back-office.ts";
import { realWorld } from "../world.ts";

export interface Answer {
  status: number;
  // Tests read answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  setCookie: string | null;
}

export type TestBackOffice = Awaited<ReturnType<typeof startTestBackOffice>>;

/** Starts a real stand-in with a free port and its own file, which are removed after the test. */
export async function startTestBackOffice({ now = () => Date.now() }: { now?: () => number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "backoffice-"));
  const config = { host: "127.0.0.1", port: 0, dbPath: join(folder, "data.sqlite") };
  const world = { ...realWorld(pino({ level: "silent" })), now: () => now() };
  let running = await startBackOffice(config, world);
  onTestFinished(async () => {
    await running.stop();
    rmSync(folder, { recursive: true });
  });

  /** Makes one call. A string body is sent unchanged. */
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    send(running.url, method, path, body, headers);

  async function sessionIdOf(login: string): Promise<string> {
    const answer = await call("POST", "/web/session/authenticate", rpc({ db: "demo", login, password: login }));
    const id = /session_id=([^;]+)/.exec(answer.setCookie ?? "")?.[1];
    if (id === undefined) throw new Error(`${login} was refused: ${JSON.stringify(answer.body)}`);
    return id;
  }

  return {
    get url() {
      return running.url;
    },
    call,
    sessionIdOf,
    /** Makes a call under /stub/v1 that must succeed. */
    async stub(method: string, path: string, body?: unknown): Promise<Answer["body"]> {
      const answer = await call(method, `/stub/v1${path}`, body);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      return answer.body;
    },
    /** Signs in and returns a function that posts to /pos-api/v1. */
    async signIn(login: string) {
      const authorization = `Bearer ${await sessionIdOf(login)}`;
      return (path: string, body: unknown = {}) => call("POST", `/pos-api/v1${path}`, body, { authorization });
    },
    /** Restarts the stand-in with the same file. */
    async restart(): Promise<void> {
      await running.stop();
      running = await startBackOffice(config, world);
    },
  };
}

export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    setCookie: response.headers.get("set-cookie"),
  };
}

export function rpc(params: unknown, id: string | number = 1): Record<string, unknown> {
  return { jsonrpc: "2.0", method: "call", params, id };
}
