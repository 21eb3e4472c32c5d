import { createServer } from "node:net";

/**
 * Below the ports that systems hand out by themselves (from 32768, 49152 elsewhere): nobody's `listen(0)` takes one of
 * these while its server is down for a restart.
 */
const FIRST = 20_000;
/** Each process counts through ports of its own, so that tests that run at the same time do not meet either. */
const PER_PROCESS = 200;
const PROCESSES = 60;

const first = FIRST + (process.pid % PROCESSES) * PER_PROCESS;
let taken = 0;

/** A port that is free, and that nothing else on this machine is likely to take before its server is there. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PER_PROCESS; tried += 1) {
    const port = first + (taken++ % PER_PROCESS);
    if (await canListen(port)) return port;
  }
  throw new Error(`none of the ports from ${first} on is free`);
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "0.0.0.0", () => server.close(() => resolve(true)));
  });
}
