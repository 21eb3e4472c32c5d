import {
  ApiKey,
  commonRefusals,
  CreateKey,
  CreateOrder,
  CreateWebhook,
  errorStatus,
  ExternalLine,
  externalRoutes,
  FloorPlan,
  OrderSummary,
  PluginRecord,
  PostPluginEvent,
  SetWebhookSecret,
  Snapshot,
  StoredLine,
  StoredOrder,
  TableState,
  Totals,
  UpdateKey,
  UpdateOrder,
  WebhookDelivery,
  WebhookEvent,
  WebhookSubscription,
  WrittenOrder,
  type ErrorCode,
  type ExternalRoute,
  type ExternalRouteName,
} from "@comanda/protocol";
import { z } from "zod";
import { deliveryExamples, examples } from "./examples.ts";

type Json = Record<string, unknown>;

const requestSchemas = {
  CreateKey,
  UpdateKey,
  CreateOrder,
  UpdateOrder,
  ExternalLine,
  Totals,
  CreateWebhook,
  PostPluginEvent,
  SetWebhookSecret,
};
const answerSchemas = {
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
  WebhookDelivery,
};

/** The integration API as OpenAPI 3.1, from the table of its routes and the schemas that validate. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(externalRoutes) as [ExternalRouteName, ExternalRoute][]) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Comanda Hub integration API", version, description: introduction },
    servers: [
      { url: "http://{hub}:8766", variables: { hub: { default: "127.0.0.1", description: "the hub's address" } } },
    ],
    tags: [...new Set(Object.values(externalRoutes).map(tagOf))].map((tag) => ({ name: tag })),
    paths,
    webhooks: Object.fromEntries(WebhookEvent.options.map((event) => [event, webhook(event)])),
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "An API key, `hub_…`." },
        apiKeyBearer: { type: "http", scheme: "bearer", description: "The same key as a bearer token." },
        manager: { type: "http", scheme: "bearer", description: "The back-office session of a manager." },
      },
      schemas: { ...named(requestSchemas, "input"), ...named(answerSchemas, "output"), Error: errorSchema },
    },
  };
}

const introduction = [
  "Server to server: no answer carries a CORS header. Requests and answers are JSON.",
  "Every failure is `{error, errorCode}` and, where said, more; branch on `errorCode`. Retry 429, 503 and 500 with",
  "back-off, correct what is answered 400, and after a 409 read the state anew.",
  "An order reference in a path is one URL-encoded segment (`EXT%2F…`).",
].join(" ");

const errorSchema: Json = {
  type: "object",
  properties: {
    error: { type: "string", description: "what is wrong, for people" },
    errorCode: { type: "string", enum: Object.keys(errorStatus) },
    requiredScope: { type: "string", description: "with FORBIDDEN: the scope that the key lacks" },
    existing: {
      type: "object",
      properties: { posReference: { type: "string" } },
      description: "with TABLE_OCCUPIED: the order on that table",
    },
    hubVersion: { type: "integer", description: "with CONFLICT: the version to base the next try on" },
    snapshot: { $ref: "#/components/schemas/Snapshot", description: "with CONFLICT: the order as it stands" },
  },
  required: ["error", "errorCode"],
};

function operation(name: ExternalRouteName, route: ExternalRoute): Json {
  const { body: bodyExample, answers: answerExamples } = examples[name];
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.does,
    description: route.who === "manager" ? "Needs a manager's session token." : `Needs the scope \`${route.who}\`.`,
    security: route.who === "manager" ? [{ manager: [] }] : [{ apiKey: [] }, { apiKeyBearer: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body !== undefined && {
      requestBody: { required: true, content: content(route.body, "input", bodyExample) },
    }),
    responses: {
      ...Object.fromEntries(
        route.answers.map(({ status, does, body }) => [
          String(status),
          { description: does, content: content(body, "output", answerExamples[status]) },
        ]),
      ),
      ...refusals(route),
    },
  };
}

function content(schema: z.ZodType, io: "input" | "output", example: unknown): Json {
  return { "application/json": { schema: inPlace(schema, io), ...(example !== undefined && { example }) } };
}

function pathParameters(route: ExternalRoute): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "URL-encoded as one segment",
    schema: { type: "string" },
  }));
}

function queryParameters(route: ExternalRoute): Json[] {
  return Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: withoutMarks(z.toJSONSchema(schema as z.ZodType, { io: "input" })),
  }));
}

/** The refusals of a route by status, each with its codes. */
function refusals(route: ExternalRoute): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...route.refuses, ...commonRefusals]) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  const sorted = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, codes]) => {
      const schema = {
        allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { errorCode: { enum: codes } } }],
      };
      return [String(status), { description: codes.join(", "), content: { "application/json": { schema } } }];
    }),
  );
}

function webhook(event: WebhookEvent): Json {
  const header = (name: string, description: string): Json => ({
    name,
    in: "header",
    schema: { type: "string" },
    description,
  });
  const example = deliveryExamples.find((each) => each.event === event);
  return {
    post: {
      operationId: `on ${event}`,
      summary: `Sent to subscriptions to ${event}.`,
      parameters: [
        header("X-Hub-Event", "the event's name"),
        header("X-Hub-Delivery", "the delivery's id, the same on every try"),
        header("X-Hub-Signature", "t={unixSeconds},v1={hex HMAC-SHA256 over `{t}.{rawBody}` with the secret}"),
      ],
      requestBody: { content: content(WebhookDelivery, "output", example) },
      responses: {
        "2XX": { description: "Delivered, when it comes within 10 seconds; anything else is tried again." },
      },
    },
  };
}

function tagOf(route: ExternalRoute): string {
  if (route.who === "manager") return "keys";
  return route.path.split("/")[3] ?? "";
}

function named(schemas: Record<string, z.ZodType>, io: "input" | "output"): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const made = z.toJSONSchema(registry, {
    io,
    uri,
    unrepresentable: "any",
    override: io === "output" ? openUp : () => {},
  });
  return Object.fromEntries(Object.entries(made.schemas).map(([id, schema]) => [id, withoutMarks(schema)]));
}

/** A schema where it is used: by reference when it has a name, else spelled out with references inside. */
function inPlace(schema: z.ZodType, io: "input" | "output"): Json {
  const all = io === "input" ? requestSchemas : answerSchemas;
  const own = Object.entries(all).find(([, each]) => each === schema)?.[0];
  if (own !== undefined) return { $ref: `#/components/schemas/${own}` };
  const { [UNNAMED]: made } = named({ ...all, [UNNAMED]: schema }, io);
  return made as Json;
}

const UNNAMED = "here";

/** Answers may get more fields in time. */
function openUp({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema["additionalProperties"] === false) delete jsonSchema["additionalProperties"];
}

/** Without what says where a schema was made, which means nothing inside this document. */
function withoutMarks(schema: object): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$id"));
}
