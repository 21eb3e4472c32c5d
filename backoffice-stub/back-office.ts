import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { urlHost } from "@comanda/protocol/url-host.ts";
import type { Config } from "./config.ts";
import { createControl } from "./control/control.ts";
import { openDb } from "./db/open.ts";
import { createApp } from "./http/app.ts";
import { seed } from "./seed/seed.ts";
import { StartFailure } from "./start-failure.ts";
import { createStores } from "./stores/stores.ts";
import type { World } from "./world.ts";

export interface BackOffice {
  url: string;
  port: number;
  /** Finishes requests in flight within `graceMs`, cuts the rest and those held by a fault, and closes the file. */
  stop: (graceMs?: number) => Promise<void>;
}

const GRACE_MS = 3000;

/** Opens the file, seeds an empty one, and serves it. A StartFailure tells the operator what to do. */
export async function startBackOffice(config: Config, world: World): Promise<BackOffice> {
  const db = openDb(config.dbPath);
  try {
    seed(db, world.now());
    const stores = createStores(db, world);
    const control = createControl();
    const handle = createApp({ db, stores, world }, control);
    const server = createServer((request, response) => void handle(request, response));
    server.keepAliveTimeout = 30_000;
    const port = await listen(server, config);
    world.log.info({ host: config.host, port, dbPath: config.dbPath }, "back-office stand-in started");
    return {
      url: `http://${urlHost(config.host)}:${port}`,
      port,
      stop: async (graceMs = GRACE_MS) => {
        control.held.closeAll();
        await close(server, graceMs);
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      const sentence = inUse
        ? `Port ${port} on ${host} is in use (BACKOFFICE_PORT): choose another or stop the program that uses it.`
        : error.code === "EACCES"
          ? `BACKOFFICE_PORT is "${port}", but it must be a port that this user may open, usually one above 1023.`
          : `BACKOFFICE_HOST is "${host}", but it must be an address of this machine.`;
      reject(new StartFailure(sentence));
    });
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      resolve(address.port);
    });
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
}
