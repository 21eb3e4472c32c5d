import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createPager } from "./alerts/pager.ts";
import { createApi } from "./api/create-api.ts";
import { chainUsers } from "./db/chain-users.ts";
import type { Database } from "./db/database.ts";
import { openDatabase } from "./db/open.ts";
import { createEnrolment, type Enrolment } from "./enrolment/enrolment.ts";
import { enrolmentRoutes } from "./enrolment/enrolment-routes.ts";
import { serveHttp } from "./http/app.ts";
import { healthRoutes } from "./http/health.ts";
import { pages } from "./http/pages.ts";
import { createIngester, type Ingester } from "./ingest/ingester.ts";
import { lockFolder } from "./lock-folder.ts";
import { type Nats, openNats } from "./nats/open-nats.ts";
import { createDocuments } from "./proposals/documents.ts";
import { createPresence, type Presence } from "./presence/presence.ts";
import { createRetention, type Retention } from "./retention/retention.ts";
import { askingOver } from "./questions/ask-restaurant.ts";
import { createDaySums } from "./sums/day-sums.ts";
import type { HeadquartersSettings } from "./settings.ts";
import { type World, withComponent } from "./world.ts";

/** The built screens. */
const SCREENS = path.resolve(import.meta.dirname, "../dist/headquarters-screens");

export interface Headquarters {
  port: number;
  database: Database;
  nats: Nats;
  ingester: Ingester;
  presence: Presence;
  retention: Retention;
  enrolment: Enrolment;
  /** In the reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts database, NATS, what works on them, and the HTTP server, in this order. Throws where one cannot start. */
export async function startHeadquarters(settings: HeadquartersSettings, world: World): Promise<Headquarters> {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of started.splice(0).toReversed()) await each();
  };
  try {
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
    started.push(await lockFolder(settings.dataDir));
    const database = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
    started.push(() => database.close());
    const nats = await openNats(settings, await chainUsers(database), world);
    started.push(() => nats.stop());
    const { checkDays } = settings;
    const ingester = createIngester({ database, connection: nats.connection, checkDays }, world);
    ingester.start();
    started.push(() => ingester.stop());
    const presence = createPresence({ database, connection: nats.connection }, world);
    presence.start();
    started.push(() => presence.stop());
    const retention = createRetention({ database, checkDays }, world);
    retention.start();
    started.push(() => retention.stop());
    const daySums = createDaySums({ database }, world);
    daySums.start();
    started.push(() => daySums.stop());
    const enrolment = createEnrolment({ database, nats, chainName: settings.chainName }, world);
    const documents = createDocuments({ database, connection: nats.connection }, world);
    documents.start();
    started.push(() => documents.stop());
    const api = await createApi({
      database,
      world: withComponent(world, "api"),
      chainName: settings.chainName,
      oidc: settings.oidc,
      enrolment,
      ask: askingOver(nats.connection),
      documents,
      listening: presence.listening,
    });
    const routers = [healthRoutes({ database, nats }), enrolmentRoutes(enrolment), api.router, pages(SCREENS)];
    const http = await serveHttp(settings, routers, world);
    started.push(() => http.stop());
    api.start();
    started.push(() => api.stop());
    if (settings.alertUrl !== null) {
      const pager = createPager({ database, url: settings.alertUrl, chainName: settings.chainName }, world);
      pager.start();
      started.push(() => pager.stop());
    }
    if (api.setupCode !== null) {
      world.log.warn({ setupCode: api.setupCode }, "nobody can sign in yet: make the first owner with this code");
    }
    world.log.info({ host: settings.host, port: http.port }, "headquarters started");
    return { port: http.port, database, nats, ingester, presence, retention, enrolment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
