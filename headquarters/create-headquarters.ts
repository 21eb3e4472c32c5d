import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createPager } from "./alerts/pager.ts";
import { createApi } from "./api/create-api.ts";
import { chainUsers } from "./db/chain-users.ts";
import { openDatabase } from "./db/open.ts";
import { createEnrolment } from "./enrolment/enrolment.ts";
import { enrolmentRoutes } from "./enrolment/enrolment-routes.ts";
import { serveHttp } from "./http/app.ts";
import { healthRoutes } from "./http/health.ts";
import { pages } from "./http/pages.ts";
import { createIngester } from "./ingest/ingester.ts";
import { lockFolder } from "./lock-folder.ts";
import { openNats } from "./nats/open-nats.ts";
import { createDocuments } from "./proposals/documents.ts";
import { createPresence } from "./presence/presence.ts";
import { createRetention } from "./retention/retention.ts";
import { createAskRestaurant } from "./questions/ask-restaurant.ts";
import { createDaySums } from "./sums/day-sums.ts";
import type { HeadquartersSettings } from "./settings.ts";
import { type World, withComponent } from "./world.ts";

/** The folder of the built screens. */
const SCREENS = path.resolve(import.meta.dirname, "../dist/headquarters-screens");

export type Headquarters = Awaited<ReturnType<typeof startHeadquarters>>;

/** Starts the database, NATS, the services that use them and the HTTP server, in this order. Throws if one cannot start. */
export async function startHeadquarters(settings: HeadquartersSettings, world: World) {
  const part = (component: string): World => withComponent(world, component);
  const started: (() => Promise<void>)[] = [];
  /** Stops everything in reverse order of the start. */
  const stop = async (): Promise<void> => {
    for (const each of started.splice(0).toReversed()) await each();
  };
  function begin<T extends { start(): void; stop(): Promise<void> }>(created: T): T {
    created.start();
    started.push(() => created.stop());
    return created;
  }
  try {
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
    started.push(await lockFolder(settings.dataDir));
    const database = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
    started.push(() => database.close());
    const nats = await openNats(settings, await chainUsers(database), part("nats"));
    started.push(() => nats.stop());
    const { checkDays } = settings;
    const { connection } = nats;
    const ingester = begin(createIngester({ database, connection, checkDays }, part("ingest")));
    const presence = begin(createPresence({ database, connection }, part("presence")));
    const retention = begin(createRetention({ database, checkDays }, part("retention")));
    begin(createDaySums({ database }, part("sums")));
    const enrolment = createEnrolment({ database, nats, chainName: settings.chainName }, part("enrolment"));
    const documents = begin(createDocuments({ database, connection }, part("proposals")));
    const api = await createApi({
      database,
      world: part("api"),
      chainName: settings.chainName,
      oidc: settings.oidc,
      enrolment,
      ask: createAskRestaurant(connection),
      documents,
      listening: presence.listening,
    });
    const routers = [healthRoutes({ database, nats }), enrolmentRoutes(enrolment), api.router, pages(SCREENS)];
    const http = await serveHttp(settings, routers, world);
    started.push(() => http.stop());
    begin(api);
    if (settings.alertUrl !== null) {
      begin(createPager({ database, url: settings.alertUrl, chainName: settings.chainName }, part("pager")));
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
