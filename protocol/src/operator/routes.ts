import type { HttpApi } from "../http/http-route.ts";
import { keyRoutes } from "../integrations/key-administration.ts";
import { chainRoutes } from "./chain.ts";
import { fiscalRoutes } from "./fiscal.ts";
import { floorRoutes } from "./floor.ts";
import { forwardingRoutes } from "./forwarding.ts";
import { integrationRoutes } from "./integrations.ts";
import { itemStateRoutes } from "./item-states.ts";
import { keptChangeRoutes } from "./kept-changes.ts";
import { kitchenRoutes } from "./kitchen.ts";
import { lossRoutes } from "./losses.ts";
import { orderRoutes } from "./orders.ts";
import { overviewRoutes } from "./overview.ts";
import { peopleRoutes } from "./people.ts";
import { printingRoutes } from "./printing.ts";
import { salesRoutes } from "./sales.ts";
import { signInRoutes } from "./sign-in.ts";
import { streamRoutes } from "./stream.ts";
import { systemRoutes } from "./system.ts";
import { terminalRoutes } from "./terminals.ts";
import { tillRoutes } from "./tills.ts";

/** The API of the hub's screens. */
export const operatorApi = {
  prefix: "/operator/v1",
  budgets: [],
  routes: {
    ...signInRoutes,
    ...overviewRoutes,
    ...floorRoutes,
    ...streamRoutes,
    ...terminalRoutes,
    ...peopleRoutes,
    ...orderRoutes,
    ...kitchenRoutes,
    ...itemStateRoutes,
    ...printingRoutes,
    ...forwardingRoutes,
    ...salesRoutes,
    ...tillRoutes,
    ...keptChangeRoutes,
    ...fiscalRoutes,
    ...integrationRoutes,
    ...systemRoutes,
    ...lossRoutes,
    ...chainRoutes,
  },
} as const satisfies HttpApi;

/** Every route that the screens call: the operator API and the key administration. */
export const operatorRoutes = {
  ...operatorApi.routes,
  createKey: keyRoutes.createKey,
  updateKey: keyRoutes.updateKey,
  deleteKey: keyRoutes.deleteKey,
};
export type OperatorRouteName = keyof typeof operatorRoutes;
