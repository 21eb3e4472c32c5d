import type { OperatorRoom } from "../../operator/operator-room.ts";
import type { operatorApi } from "@comanda/protocol";
import type { Handlers } from "../handlers.ts";
import { operatorBackOfficeRoutes } from "./operator-back-office.ts";
import { operatorLossRoutes } from "./operator-losses.ts";
import { operatorOrderRoutes } from "./operator-orders.ts";
import { operatorPluginRoutes } from "./operator-plugins.ts";
import { operatorServiceRoutes } from "./operator-service.ts";
import { operatorSignInRoutes } from "./operator-sign-in.ts";
import { operatorSystemRoutes } from "./operator-system.ts";
import { operatorTerminalRoutes } from "./operator-terminals.ts";
import { operatorWebhookRoutes } from "./operator-webhooks.ts";

export type OperatorHandlers = Handlers<typeof operatorApi.routes>;

/** What answers each line of the protocol's route table. */
export function operatorHandlers(room: OperatorRoom, port: () => number): OperatorHandlers {
  return {
    ...operatorSignInRoutes(room),
    ...operatorServiceRoutes(room, port),
    ...operatorTerminalRoutes(room),
    ...operatorOrderRoutes(room),
    ...operatorBackOfficeRoutes(room),
    ...operatorWebhookRoutes(room.webhookDesk),
    ...operatorPluginRoutes(room),
    ...operatorSystemRoutes(room),
    ...operatorLossRoutes(room.missing),
  };
}
