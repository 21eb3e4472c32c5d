import * as protocol from "@comanda/protocol";
import { z } from "zod";
import { emitOpenApi, type Json } from "./emit-openapi.ts";
import { deliveryExamples, examples } from "./openapi-examples.ts";

/** Returns the document of the integration API with the key administration, as served at /external/openapi.json. */
export function integrationDocument(version: string): Json {
  const { CreateKey, UpdateKey, CreateOrder, UpdateOrder, ExternalLine, Totals } = protocol;
  const { CreateWebhook, PostPluginEvent, SetWebhookSecret } = protocol;
  const { ApiKey, Snapshot, StoredLine, StoredOrder, WrittenOrder, OrderSummary } = protocol;
  const { TableState, FloorPlan, PluginRecord, WebhookSubscription, OrderDelivery, TableDelivery } = protocol;
  return emitOpenApi({
    info: {
      title: "Comanda Hub integration API",
      version,
      description: [
        "Server to server: responses carry no CORS headers. Requests and responses are JSON.",
        "Every error is `{error, errorCode}`, plus further fields where documented; branch on `errorCode`. Retry 429, 503 and 500",
        "with back-off, correct the request after a 400, and read the current state after a 409.",
        "An order reference in a path is one URL-encoded segment (`EXT%2F…`).",
      ].join(" "),
    },
    servers: [
      { url: "http://{hub}:8766", variables: { hub: { default: "127.0.0.1", description: "the hub's address" } } },
    ],
    tags: {
      keys: "API keys, managed with a manager's session. The scopes of a key never change.",
      session: "Whether the point-of-sale session is open.",
      tables: "The live state of the tables that the hub has seen.",
      "floor-plan": "The floors of the back-office, with live states and the table ids that orders use.",
      menu: "Products with prices, taxes and availability, and the ids that order lines use.",
      orders: "Reads, opens and changes checks. They can be paid and discarded only on terminals.",
      webhooks: "Subscriptions to events. Each delivery is signed with the subscription's secret.",
      plugins: "Records that terminals show, such as bookings. Each plugin is enabled by the operator.",
    },
    routes: protocol.externalRoutes,
    bodySchemas: {
      CreateKey,
      UpdateKey,
      CreateOrder,
      UpdateOrder,
      ExternalLine,
      Totals,
      CreateWebhook,
      PostPluginEvent,
      SetWebhookSecret,
    },
    answerSchemas: {
      ApiKey,
      Snapshot,
      StoredLine,
      StoredOrder,
      WrittenOrder,
      OrderSummary,
      TableState,
      FloorPlan,
      PluginRecord,
      WebhookSubscription,
      OrderDelivery,
      TableDelivery,
    },
    examples,
    webhooks: {
      bodies: Object.fromEntries(
        protocol.WebhookEvent.options.map((event) => [
          event,
          event === "table.updated" ? TableDelivery : OrderDelivery,
        ]),
      ),
      headers: {
        "X-Hub-Event": "the event's name",
        "X-Hub-Delivery": "the delivery's id, the same on every attempt",
        "X-Hub-Signature": "t={unixSeconds},v1={hex HMAC-SHA256 over `{t}.{rawBody}` with the secret}",
      },
      examples: deliveryExamples,
    },
  });
}

/** Returns the document of the operator API with the key administration. */
export function operatorDocument(version: string): Json {
  return emitOpenApi({
    info: {
      title: "Comanda Hub: operator API",
      version,
      description:
        "The API of the hub's screens. Without a token, `public` routes return only counts and states; everything " +
        "else needs a manager's back-office session as `Authorization: Bearer`. Times are ISO 8601 UTC.",
    },
    servers: [{ url: "http://127.0.0.1:8766" }],
    routes: protocol.operatorRoutes,
    bodySchemas: {},
    answerSchemas: schemasOfProtocol(),
    errorFields: protocol.ErrorExplanation.extend({
      settledAt: z.string().describe("with CONFLICT: when the payment was settled by another user"),
      receiptState: z.string().nullable().describe("with CONFLICT: the current state of the electronic receipt"),
    }),
  });
}

/** Returns the document of the terminals' HTTP API, as served at /terminal/v1/openapi.json. */
export function terminalDocument(version: string): Json {
  return emitOpenApi({
    info: {
      title: "Comanda Hub terminal API",
      version,
      description:
        "What terminals use in addition to their WebSocket connection, for pages of the hub's own origin. Answers come from " +
        "the hub's last good copy while the back-office cannot be reached; `asOf` is the time of that copy. Every error is " +
        "`{error, errorCode}`; branch on `errorCode`. Unknown fields are ignored. Times are ISO 8601 UTC.",
    },
    servers: [{ url: "http://127.0.0.1:8766" }],
    tags: {
      hub: "Identifies the hub at this address.",
      "android-update": "Releases of the Android app around the terminal.",
      "sign-in": "Opens a back-office session for a user of any role.",
      "sign-out": "Ends a session, also while the back-office cannot be reached.",
      menu: "Products, prices, taxes and stations, with a version that changes when they do.",
      floors: "The layout of the floors.",
      learned: "What sells at each hour and how long dishes take, learned from the restaurant's own sales and kitchen.",
      customers: "Customers of the back-office.",
      "credit-check": "Whether a customer may buy on credit.",
      "credit-note": "Credit notes for the lines that are not voided of a paid order with voided lines.",
      refunds: "Refunds a paid order in full or in part.",
      print: "Bills, receipts and slips, on the restaurant's printers.",
      "print-jobs": "Print jobs of this terminal that were not printed, or may not have been.",
      orders: "Recent orders.",
      reservations: "Bookings of the reservations plugin.",
      waiting: "Guests waiting for a table.",
      pin: "Sets a PIN, or acts with one.",
      people: "People who can use a PIN.",
      "device-name": "Whether a device can take another name.",
      "unused-name": "Whether a new device can take a name.",
      practice: "A copy of the restaurant to practise on, without real orders or payments.",
    },
    routes: protocol.terminalApi.routes,
    bodySchemas: {},
    answerSchemas: schemasOfProtocol(),
    errorFields: z.object({
      version: z.int().describe("with CONFLICT: the version of the booking or the party"),
      refusedToken: protocol.RefusedToken.describe("with ACTOR_REFUSED: which token was refused, and why"),
    }),
  });
}

/** Returns every schema that the protocol exports by name. A schema with two names gets the shorter one. */
function schemasOfProtocol(): Record<string, z.ZodType> {
  const names = new Map<z.ZodType, string>();
  for (const [name, value] of Object.entries(protocol)) {
    if (!(value instanceof z.ZodType) || !/^[A-Z]/.test(name)) continue;
    const shortest = names.get(value);
    if (shortest === undefined || name.length < shortest.length) names.set(value, name);
  }
  const sorted = [...names].map(([schema, name]) => [name, schema] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
