import { pino } from "pino";
import { startBackOffice } from "../../backoffice-stub/back-office.ts";
import { realWorld } from "../../backoffice-stub/world.ts";
import type { RunningBackOffice } from "./restaurant.ts";

/** Starts the stand-in in this process, in a fiftieth of the time that a separate program needs. */
export async function startBackOfficeInProcess(port: number, dbPath: string): Promise<RunningBackOffice> {
  const config = { host: "127.0.0.1", port, dbPath };
  const { url, stop } = await startBackOffice(config, realWorld(pino({ level: "silent" })));
  return { url, kill: () => stop(0), stop };
}
