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
        "Server to server: no answer carries a CORS header. Requests and answers are JSON.",
        "Every failure is `{error, errorCode}` and, where documented, more; branch on `errorCode`. Retry 429, 503 and 500",
        "with back-off, correct the request after a 400, and after a 409 read the state again.",
        "An order reference in a path is one URL-encoded segment (`EXT%2F…`).",
      ].join(" "),
    },
    servers: [
      { url: "http://{hub}:8766", variables: { hub: { default: "127.0.0.1", description: "the hub's address" } } },
    ],
    tags: {
      keys: "API keys. A manager's session administers them; each key has scopes that never change.",
      session: "Whether the point of sale is open.",
      tables: "The live state of the tables that the hub has seen.",
      "floor-plan": "The floors of the back-office, with live states. Orders name a table by its id here.",
      menu: "What is sold, with prices, taxes and what has run out. Orders name a dish by its id here.",
      orders: "Checks: read, open and change them. They are paid and discarded on terminals only.",
      webhooks: "Subscriptions to events. Each delivery is signed with the subscription's secret.",
      plugins: "Records that terminals show, such as bookings. The operator enables each plugin.",
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
        "What the hub's screens read and do. `public` routes answer without a token in counts and states only; everything " +
        "else needs a manager's back-office session as `Authorization: Bearer`. Times are ISO 8601 UTC.",
    },
    servers: [{ url: "http://127.0.0.1:8766" }],
    routes: protocol.operatorRoutes,
    bodySchemas: {},
    answerSchemas: schemasOfProtocol(),
    errorFields: protocol.ErrorExplanation.extend({
      settledAt: z.string().describe("with CONFLICT: when the payment was settled, by somebody else"),
      receiptState: z.string().nullable().describe("with CONFLICT: what has become of the electronic receipt"),
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
        "What a terminal reads and does beside its WebSocket connection, for pages of the hub's own origin. Answers come from " +
        "the hub's last good copy while the line to the back-office is down; `asOf` says as of when. Every failure is " +
        "`{error, errorCode}`; branch on `errorCode`. Unknown fields are ignored. Times are ISO 8601 UTC.",
    },
    servers: [{ url: "http://127.0.0.1:8766" }],
    tags: {
      hub: "Which hub answers at this address.",
      "android-update": "Releases of the Android app around the terminal.",
      "sign-in": "Opens a back-office session for a user of any role.",
      "sign-out": "Ends a session, also while the back-office cannot be reached.",
      menu: "Products, prices, taxes and stations, with a version that changes when they do.",
      floors: "The layout of the floors.",
      learned: "What the restaurant's own sales and kitchen teach: what sells at which hour, how long dishes take.",
      customers: "Customers of the back-office.",
      "credit-check": "Whether a customer may buy on credit.",
      "credit-note": "A credit note for what is not void of a paid order with something void.",
      refunds: "Gives back a paid order, as a whole or in part.",
      print: "Bills, receipts and slips, on the printers of the house.",
      "print-jobs": "What this terminal has had printed and did not come out, or may not have.",
      orders: "Recent orders.",
      reservations: "Bookings, as the reservations plugin has them.",
      waiting: "Guests who wait for a table.",
      pin: "PINs: setting one, and acting with one.",
      people: "Who may act with a PIN.",
      "device-name": "Whether a device may have another name.",
      "unused-name": "Whether a new device may have a name.",
      practice: "A copy of the restaurant to learn on, where nothing counts.",
    },
    routes: protocol.terminalApi.routes,
    bodySchemas: {},
    answerSchemas: schemasOfProtocol(),
    errorFields: z.object({
      version: z.int().describe("with CONFLICT: the version of the booking or the party"),
      refusedToken: protocol.RefusedToken.describe("with ACTOR_REFUSED: which token does not count, and why"),
    }),
  });
}

/** Returns every schema that the protocol exports by name. A schema with two names gets the shorter one. */
function schemasOfProtocol(): Record<string, z.ZodType> {
  const names = new Map<z.ZodType, string>();
  for (const [name, value] of Object.entries(protocol)) {
    if (!(value instanceof z.ZodType) || !/^[A-Z]/.test(name)) continue;
    const known = names.get(value);
    if (known === undefined || name.length < known.length) names.set(value, name);
  }
  const sorted = [...names].map(([schema, name]) => [name, schema] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
