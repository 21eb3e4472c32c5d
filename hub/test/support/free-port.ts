import { createServer, type Server } from "node:net";

/**
 * Below the ephemeral ports of operating systems (from 32768 or 49152): no `listen(0)` takes one of these while its
 * server restarts.
 */
const FIRST = 20_000;
const PER_PROCESS = 200;
const PROCESSES = 60;

let first: Promise<number> | undefined;
let portsTried = 0;

/** Returns a free port that nothing else on this machine is likely to take before the server starts. */
export async function freePort(): Promise<number> {
  first ??= claimRange();
  const start = await first;
  for (let attempt = 1; attempt < PER_PROCESS; attempt += 1) {
    const port = start + 1 + (portsTried++ % (PER_PROCESS - 1));
    const server = await listen(port);
    if (server === null) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`none of the ports from ${start} on is free`);
}

/**
 * Reserves a range of ports for this process and returns its first port. Listens on that port until the process ends, so
 * concurrent test processes take other ranges.
 */
async function claimRange(): Promise<number> {
  for (let n = 0; n < PROCESSES; n += 1) {
    const port = FIRST + ((process.pid + n) % PROCESSES) * PER_PROCESS;
    const server = await listen(port);
    if (server === null) continue;
    server.unref();
    return port;
  }
  throw new Error(`${PROCESSES} processes hold a range of ports for their tests`);
}

/** Listens on a port. Resolves with null if it is taken. */
function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "0.0.0.0", () => resolve(server));
  });
}
