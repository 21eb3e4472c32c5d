import type { IncomingMessage, ServerResponse } from "node:http";
import Koa from "koa";
import type { Control } from "../control/control.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { bootstrapRoutes } from "../routes/bootstrap.ts";
import { controlRouter } from "../routes/control.ts";
import { customerRoutes } from "../routes/customers.ts";
import { floorPlanRoutes } from "../routes/floor-plan.ts";
import { hubRoutes } from "../routes/hub.ts";
import { orderRoutes } from "../routes/orders.ts";
import { paymentRoutes } from "../routes/payments.ts";
import { updateRoutes } from "../routes/updates.ts";
import { webSessionRouter } from "../routes/web-session.ts";
import type { RequestState } from "./context.ts";
import { controlGate, isControlPath } from "./control-gate.ts";
import { envelope } from "./envelope.ts";
import { errorEdge, notFound } from "./error-edge.ts";
import { htmlPage } from "./html-page.ts";
import { recordAndFault } from "./record-and-fault.ts";
import { createRoutes } from "./routes.ts";
import { serverDate } from "./server-date.ts";

/** All middleware and routes, in order: control first, then log and faults, then the rest. */
export function createApp(
  deps: OrderDeps,
  control: Control,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { stores, world } = deps;
  const { faults, quirks } = control;
  const posApi = createRoutes(stores, quirks);
  bootstrapRoutes(posApi, stores, quirks);
  orderRoutes(posApi, deps, quirks);
  hubRoutes(posApi, deps, { faults, quirks });
  paymentRoutes(posApi);
  customerRoutes(posApi, stores);
  floorPlanRoutes(posApi, deps);
  updateRoutes(posApi, stores);

  const app = new Koa<RequestState>();
  app.on("error", (error: unknown) => world.log.warn({ err: error }, "answer could not be sent"));
  app.use(errorEdge(world.log));
  app.use(controlGate);
  app.use(controlRouter(stores, control, world).routes());
  app.use((ctx, next) => (isControlPath(ctx.path) ? notFound(ctx) : next()));
  app.use(serverDate(quirks));
  app.use(recordAndFault(control, world));
  app.use(htmlPage(quirks));
  app.use(envelope(quirks));
  app.use(errorEdge(world.log));
  app.use(webSessionRouter(stores, quirks).routes());
  app.use(posApi.router.routes());
  app.use(notFound);
  return app.callback();
}
