import { HubRefusal } from "./errors.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import type {
  Answer,
  CreateOrder,
  CreateWebhook,
  PostPluginEvent,
  Snapshot,
  UpdateOrder,
  WrittenOrder,
} from "./types.ts";

export interface ClientOptions extends TransportOptions {
  /** The API key, `hub_…`. */
  key: string;
}

/** A check to open. */
export type NewOrder = CreateOrder;

/** The state of a check that a change starts from. */
export type CurrentOrder = WrittenOrder;

/** The fields that a change sets; null when nothing is left to change. */
export type OrderChange = Omit<UpdateOrder, "baseVersion"> | null;

/** A subscription with the secret that signs its deliveries. */
export type WebhookWithSecret = Answer<"createWebhook">;

export type IntegrationClient = ReturnType<typeof createIntegrationClient>;

const REBASES = 10;

/**
 * Creates a client for a hub's integration API. Calls are retried on 429, 503 and 500, and throw HubRefusal or HubUnreachable.
 */
export function createIntegrationClient({ key, ...options }: ClientOptions) {
  const call = createTransport(options, { "x-api-key": key });
  const readOrder = (ref: string) => call("readOrder", { params: { ref } });
  const patchOrder = (ref: string, body: UpdateOrder) => call("updateOrder", { params: { ref }, body });

  return {
    session: () => call("readSession"),
    tables: async () => (await call("listTables")).tables,
    floorPlan: () => call("readFloorPlan"),
    /** Products with prices and taxes. */
    menu: () => call("readMenu"),
    orders: async (status: "active" | "all" = "active") => (await call("listOrders", { query: { status } })).orders,
    order: readOrder,

    /**
     * Opens a check. Without an `externalRef` one is generated, so that a retry after a lost response never opens a second
     * check. Pass your own if you may repeat the call after a restart.
     */
    createOrder: (order: NewOrder) =>
      call("createOrder", { body: { externalRef: crypto.randomUUID(), ...order }, isRepeatable: true }),

    /** Sends one PATCH; the caller handles CONFLICT. */
    patchOrder,

    /**
     * Changes a check without losing other writers' changes: reads it, sends the result of `change`, and after a CONFLICT
     * calls `change` again with the hub's state.
     */
    async updateOrder(
      ref: string,
      change: (order: CurrentOrder) => OrderChange | Promise<OrderChange>,
    ): Promise<CurrentOrder> {
      let current: CurrentOrder = await readOrder(ref);
      for (let rebase = 0; ; rebase += 1) {
        const patch = await change(current);
        if (patch === null) return current;
        try {
          return await patchOrder(ref, { ...patch, baseVersion: current.version });
        } catch (error) {
          const next = rebase < REBASES ? conflictState(error) : null;
          if (next === null) throw error;
          current = { posReference: ref, ...next };
        }
      }
    },

    webhooks: {
      list: async () => (await call("listWebhooks")).webhooks,
      /** Returns the secret, which is not readable later. */
      create: (body: CreateWebhook) => call("createWebhook", { body }),
      /** Sets `secret`, or a generated one, for a webhook that `needsSecret` or to replace a secret. */
      setSecret: (id: string, secret?: string) =>
        call("setWebhookSecret", { params: { id }, body: secret === undefined ? {} : { secret } }),
      delete: (id: string) => call("deleteWebhook", { params: { id } }),
      test: (id: string) => call("testWebhook", { params: { id } }),
    },

    /** The records of one plugin, such as `reservations`. */
    plugin: (pluginId: string) => ({
      list: async () => (await call("listPluginEvents", { params: { pluginId } })).events,
      get: (key: string) => call("readPluginEvent", { params: { pluginId, key } }),
      post: (body: PostPluginEvent) => call("postPluginEvent", { params: { pluginId }, body, isRepeatable: true }),
      delete: (key: string) => call("deletePluginEvent", { params: { pluginId, key } }),
    }),
  };
}

function conflictState(error: unknown): { version: number; snapshot: Snapshot } | null {
  if (!(error instanceof HubRefusal) || error.errorCode !== "CONFLICT") return null;
  const { hubVersion, snapshot } = error;
  return hubVersion === undefined || snapshot === undefined ? null : { version: hubVersion, snapshot };
}
