import { createLagWatch } from "../alerts/lag-watch.ts";
import { createAlertJob, deriveAlerts } from "../alerts/alert-loop.ts";
import type { Database } from "../db/database.ts";
import type { Enrolment } from "../enrolment/enrolment.ts";
import { createIdentityProvider } from "../people/identity-provider.ts";
import { createPeople } from "../people/people.ts";
import type { Documents } from "../proposals/documents.ts";
import { type Listening, presenceOf } from "../presence/presence-of.ts";
import { createSetupCode } from "../people/setup-code.ts";
import type { AskRestaurant } from "../questions/ask-restaurant.ts";
import type { OidcSettings } from "../settings.ts";
import type { World } from "../world.ts";
import { alertRoutes } from "./alert-routes.ts";
import { createNews } from "./news.ts";
import { nowRoute, type PresenceNow } from "./now-route.ts";
import { peopleRoutes } from "./people-routes.ts";
import { proposalRoutes } from "./proposal-routes.ts";
import { addProviderRoutes } from "./provider-routes.ts";
import { restaurantRoutes } from "./restaurant-routes.ts";
import { questionRoutes } from "./question-routes.ts";
import { salesRoute } from "./sales-route.ts";
import { serveApi } from "./serve-api.ts";
import { sessionRoutes } from "./session-routes.ts";

/** Creates the API of headquarters, with its people, alerts and events. */
export async function createApi(deps: {
  database: Database;
  world: World;
  chainName: string;
  /** The identity provider; null if people sign in by password only. */
  oidc: OidcSettings | null;
  enrolment: Pick<Enrolment, "admit" | "createCode" | "cut" | "revoke">;
  ask: AskRestaurant;
  documents: Pick<Documents, "write">;
  listening(): Listening;
}) {
  const { database, world, chainName, enrolment, documents, listening } = deps;
  const { now } = world;
  const setupCode = createSetupCode();
  const provider = deps.oidc === null ? null : createIdentityProvider(deps.oidc, world);
  const people = createPeople({ database, now, setupCode, hasProvider: provider !== null });
  const lag = createLagWatch(now);
  const news = createNews({ database, world });
  const presence: PresenceNow = ({ hubId, heardAt }) =>
    hubId === null ? "never" : presenceOf(heardAt?.getTime() ?? null, now(), listening());
  const derive = async (): Promise<void> => {
    if (await deriveAlerts(database, { lag, listening: listening(), now: now() })) news.notify("alerts");
  };
  const alerts = createAlertJob(derive, world);
  const router = serveApi(
    {
      ...sessionRoutes({ database, people, chainName, provider }),
      ...peopleRoutes({ database, people }),
      ...nowRoute({ database, lag, now, presence }),
      ...salesRoute({ database, lag, now }),
      ...alertRoutes({ database, news, now }),
      ...questionRoutes({ database, ask: deps.ask, now }),
      ...restaurantRoutes({ database, news, now, presence, enrolment }),
      ...proposalRoutes({ database, documents, news, now, presence }),
      async events({ ctx }) {
        await news.addListener(ctx.res);
        ctx.respond = false;
      },
    },
    people,
  );
  if (provider !== null) addProviderRoutes(router, { provider, people, world });
  return {
    router,
    /** The code that creates the first owner; null if there is an owner. */
    setupCode: (await people.needsSetup()) ? setupCode.shown : null,
    /** Derives the alerts once; `start` does so every few seconds. */
    deriveAlerts: derive,
    start: alerts.start,
    async stop(): Promise<void> {
      news.stop();
      await alerts.stop();
    },
  };
}
