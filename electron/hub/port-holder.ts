import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 3_000;

/** Returns the program that listens on a TCP port, "nginx (process 812)", or undefined if the system does not report it. */
export async function findPortHolder(
  port: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  try {
    if (platform === "linux") return await findOnLinux(port);
    if (platform === "win32") return await findOnWindows(port);
    return parseLsof(
      (await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { timeout: TIMEOUT_MS })).stdout,
    );
  } catch {
    return undefined;
  }
}

/** Returns the next free port above this one, or undefined if none of the next fifty is free. */
export async function findFreePort(above: number, host = "0.0.0.0"): Promise<number | undefined> {
  for (let port = above + 1; port <= Math.min(above + 50, 65_535); port++) {
    if ((await testPort(port, host)) === undefined) return port;
  }
  return undefined;
}

/** Tries to listen on a port. Resolves to undefined on success, else to the system's code, such as EADDRINUSE or EACCES. */
export function testPort(port: number, host = "0.0.0.0"): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "failed"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Returns the inodes of the sockets listening on a port, from /proc/net/tcp or tcp6. */
export function parseProcNetTcp(text: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const listening = "0A";
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === listening)
    .map((fields) => fields[9] ?? "");
}

/** Returns the program and process id from `lsof -Fpc`. */
export function parseLsof(text: string): string | undefined {
  const [, pid] = /^p(\d+)$/m.exec(text) ?? [];
  const [, program] = /^c(.+)$/m.exec(text) ?? [];
  return pid === undefined || program === undefined ? undefined : `${program} (process ${pid})`;
}

/** Returns the id of the process that listens on a port, from `netstat -ano -p TCP`. */
export function parseNetstat(text: string, port: number): string | undefined {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  return rows.find(
    (row) => row[0] === "TCP" && row[1]?.endsWith(`:${port}`) === true && row[2]?.endsWith(":0") === true,
  )?.[4];
}

async function findOnLinux(port: number): Promise<string | undefined> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => parseProcNetTcp(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => "")));
    if (!links.some((link) => sockets.has(link))) continue;
    const program = (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
    return `${program} (process ${pid})`;
  }
  return undefined;
}

async function findOnWindows(port: number): Promise<string | undefined> {
  const { stdout } = await run("netstat", ["-ano", "-p", "TCP"], { timeout: TIMEOUT_MS, windowsHide: true });
  const pid = parseNetstat(stdout, port);
  if (pid === undefined) return undefined;
  const filter = ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"];
  const tasks = await run("tasklist", filter, { timeout: TIMEOUT_MS, windowsHide: true });
  const [, program] = /^"([^"]+)"/m.exec(tasks.stdout) ?? [];
  return `${program ?? "a program"} (process ${pid})`;
}
