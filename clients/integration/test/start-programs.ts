import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type PosConfig, terminalApi } from "@comanda/protocol";

const root = path.resolve(import.meta.dirname, "../../..");

export type Programs = Awaited<ReturnType<typeof startPrograms>>;

/** Starts the real hub and back-office stand-in as programs, with their own ports and files. */
export async function startPrograms(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "integration-"));
  const backOffice = start("backoffice-stub/main.ts", {
    BACKOFFICE_PORT: "0",
    BACKOFFICE_DB_PATH: path.join(folder, "back-office.sqlite"),
  });
  const backOfficeUrl = await addressOf(backOffice);
  const hub = start("hub/main.ts", {
    ERP_URL: backOfficeUrl,
    HUB_HOST: "127.0.0.1",
    HUB_HTTP_PORT: "0",
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
    HUB_MDNS_ENABLED: "false",
    HUB_EXTERNAL_RATE_MAX: "10000",
    HUB_EXTERNAL_KEY_RATE_MAX: "10000",
    HUB_ENABLED_PLUGINS: "reservations",
    ...env,
  });
  const url = await addressOf(hub);
  return {
    url,
    backOfficeUrl,
    signIn: (login: string) => signIn(backOfficeUrl, login),
    /** The menu as the hub serves it to terminals. */
    async menu(): Promise<Pick<PosConfig, "products" | "taxes">> {
      const token = await signIn(backOfficeUrl, "waiter");
      const answer = await fetch(`${url}${terminalApi.routes.menu.path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return (await answer.json()) as PosConfig;
    },
    async stop(): Promise<void> {
      await Promise.all([end(hub), end(backOffice)]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(script: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, script)], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the program's output is not read");
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return address;
  }
  throw new Error("the program ended before it was ready");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function signIn(backOfficeUrl: string, login: string): Promise<string> {
  const params = { db: "demo", login, password: login };
  const response = await fetch(`${backOfficeUrl}/web/session/authenticate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", method: "call", params }),
  });
  const token = /session_id=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1];
  if (token === undefined) throw new Error(`${login} was refused`);
  return token;
}
