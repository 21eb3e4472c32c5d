import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems hand out by themselves (from 32768, 49152 elsewhere): nobody's `listen(0)` takes one of
 * these while its server is down for a restart.
 */
const FIRST = 20_000;
const PER_PROCESS = 200;
const PROCESSES = 60;

let first: Promise<number> | undefined;
let taken = 0;

/** A port that is free, and that nothing else on this machine is likely to take before its server is there. */
export async function freePort(): Promise<number> {
  first ??= claimRange();
  const start = await first;
  for (let attempt = 1; attempt < PER_PROCESS; attempt += 1) {
    const port = start + 1 + (taken++ % (PER_PROCESS - 1));
    const server = await listen(port);
    if (server === null) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`none of the ports from ${start} on is free`);
}

/**
 * The first port of a range that this process has for itself: it listens on it to its end, so that tests that run at the
 * same time take another range.
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

/** Null where the port is taken. */
function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "0.0.0.0", () => resolve(server));
  });
}
