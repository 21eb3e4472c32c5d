import { errorStatus, routeErrors, StreamEvent, type HttpRoute, type Scope } from "@comanda/protocol";
import { z } from "zod";

export type Json = Record<string, unknown>;

/** Examples for a route. The tests check each against its schema. */
export interface RouteExamples {
  body?: Readonly<Record<string, unknown>>;
  /** By status. */
  answers: Readonly<Record<number, unknown>>;
}

export interface ApiDescription {
  info: { title: string; version: string; description: string };
  servers: Json[];
  /** Description of each group of routes, by tag. */
  tags?: Readonly<Record<string, string>>;
  routes: Readonly<Record<string, HttpRoute>>;
  /** Schemas that the document references by name, for bodies and for answers. */
  bodySchemas: Readonly<Record<string, z.ZodType>>;
  answerSchemas: Readonly<Record<string, z.ZodType>>;
  examples?: Readonly<Record<string, RouteExamples>>;
  /** Fields of its errors beside those that every API has. */
  errorFields?: z.ZodObject;
  /** Events that the hub sends: summary, headers with their descriptions, and examples. */
  webhooks?: {
    /** The body of each event. */
    bodies: Readonly<Record<string, z.ZodType>>;
    headers: Readonly<Record<string, string>>;
    examples: Readonly<Record<string, unknown>>;
  };
}

const REFERENCE = "#/components/schemas/";

/** Generates an API's OpenAPI 3.1 document from the route table by which the hub serves it. */
export function emitOpenApi(api: ApiDescription): Json {
  const { info, servers, routes, webhooks } = api;
  const schemas = {
    ...toJson(api.bodySchemas, "input"),
    ...toJson(api.answerSchemas, "output"),
    Error: errorSchema(api),
  };
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(api, name, route) };
  }
  const sent =
    webhooks === undefined
      ? {}
      : {
          webhooks: Object.fromEntries(
            Object.entries(webhooks.bodies).map(([event, body]) => [event, webhook(api, event, body)]),
          ),
        };
  const accesses = new Set(Object.values(routes).map(({ access }) => (isScope(access) ? "key" : access)));
  const hasUsers = accesses.has("terminal");
  return {
    openapi: "3.1.0",
    info: { ...info, license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" } },
    servers,
    tags: [...new Set(Object.values(routes).map(tagOf))].map((name) => {
      const description = api.tags?.[name];
      return { name, ...(description !== undefined && { description }) };
    }),
    paths,
    ...sent,
    components: {
      securitySchemes: {
        ...(accesses.has("key") && {
          apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "An API key, `hub_…`." },
          apiKeyBearer: { type: "http", scheme: "bearer", description: "The same key as a bearer token." },
        }),
        ...(hasUsers
          ? { user: { type: "http", scheme: "bearer", description: "The back-office session of any user." } }
          : { manager: { type: "http", scheme: "bearer", description: "The back-office session of a manager." } }),
      },
      schemas: reachable({ paths, ...sent }, schemas),
    },
  };
}

function errorSchema({ answerSchemas, errorFields = z.object({}) }: ApiDescription): Json {
  const { fields = {} } = toJson({ ...answerSchemas, fields: errorFields }, "output");
  return {
    type: "object",
    properties: {
      error: { type: "string", description: "what went wrong, as a human-readable message" },
      errorCode: { type: "string", enum: Object.keys(errorStatus) },
      requiredScope: { type: "string", description: "with FORBIDDEN: the scope that the key lacks" },
      existing: {
        type: "object",
        properties: { posReference: { type: "string" } },
        description: "with TABLE_OCCUPIED: the order on that table",
      },
      hubVersion: { type: "integer", description: "with CONFLICT: the version to base the next attempt on" },
      snapshot: { $ref: `${REFERENCE}Snapshot`, description: "with CONFLICT: the current order" },
      ...(fields["properties"] as Json),
    },
    required: ["error", "errorCode"],
  };
}

function operation(api: ApiDescription, name: string, route: HttpRoute): Json {
  const { body } = route;
  const example = api.examples?.[name];
  // The first sentence is the title on pages and in lists.
  const [summary = "", ...more] = route.summary.split(/(?<=\.) /);
  const access = accessOf(
    route,
    Object.values(api.routes).some((each) => each.access === "manager"),
  );
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    ...access,
    description: [...more, access.description].join(" "),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body !== undefined && {
      requestBody: {
        required: route.isBodyOptional !== true,
        content: json(inPlace(api, body, "input"), example?.body),
      },
    }),
    responses: { ...goodAnswers(api, route, example), ...errors(route) },
  };
}

function accessOf(
  { access, needsConfirmation }: HttpRoute,
  hasManagers: boolean,
): { description: string; security: Json[] } {
  if (access === "public" && !hasManagers) return { description: "Needs no token.", security: [{}] };
  if (access === "terminal") return { description: "Needs the session token of any user.", security: [{ user: [] }] };
  if (access === "device") return { description: "Needs no token, but a device key.", security: [{}] };
  if (access === "public") {
    return { description: "Needs no token; a manager's token shows details.", security: [{}, { manager: [] }] };
  }
  if (access === "manager") {
    const confirmation = " The back-office must have confirmed it within the last minute.";
    const description = `Needs a manager's session token.${needsConfirmation === true ? confirmation : ""}`;
    return { description, security: [{ manager: [] }] };
  }
  return { description: `Needs the scope \`${access}\`.`, security: [{ apiKey: [] }, { apiKeyBearer: [] }] };
}

function goodAnswers(api: ApiDescription, route: HttpRoute, example: RouteExamples | undefined): Json {
  const { answer, status = 200, otherAnswer, answerSummary = route.summary } = route;
  if (route.stream === true) {
    const schema = inPlace(api, StreamEvent, "output");
    return { "200": { description: "Server-sent events", content: { "text/event-stream": { schema } } } };
  }
  if (route.file === true) {
    return { "200": { description: "A download", content: { "*/*": {} } } };
  }
  const all = [{ status, summary: answerSummary, answer }, ...(otherAnswer === undefined ? [] : [otherAnswer])];
  return Object.fromEntries(
    all.map((each) => {
      const schema = each.answer === undefined ? {} : inPlace(api, each.answer, "output");
      return [each.status, { description: each.summary, content: json(schema, example?.answers[each.status]) }];
    }),
  );
}

function errors(route: HttpRoute): Json {
  const byStatus = Map.groupBy(routeErrors(route), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = { allOf: [{ $ref: `${REFERENCE}Error` }, { properties: { errorCode: { enum: codes } } }] };
      return [status, { description: codes.join(", "), content: json(schema) }];
    }),
  );
}

function json(schema: Json, example?: unknown): Json {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}

function pathParameters({ path }: HttpRoute): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "URL-encoded as one segment",
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: HttpRoute): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" }) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function webhook(api: ApiDescription, event: string, body: z.ZodType): Json {
  const { headers = {}, examples = {} } = api.webhooks ?? {};
  const schema = inPlace(api, body, "output");
  return {
    post: {
      operationId: `on${event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      summary: `Sent to subscriptions to ${event}.`,
      description: "Signed: see `X-Hub-Signature`.",
      security: [],
      parameters: Object.entries(headers).map(([name, description]) => ({
        name,
        in: "header",
        schema: { type: "string" },
        description,
      })),
      requestBody: { required: true, content: json(schema, examples[event]) },
      responses: { "2XX": { description: "Delivered, if returned within 10 seconds. Any other outcome is retried." } },
    },
  };
}

function isScope(access: HttpRoute["access"]): access is Scope {
  return access !== "public" && access !== "manager" && access !== "terminal" && access !== "device";
}

function tagOf(route: HttpRoute): string {
  return route.path.startsWith("/external-keys") ? "keys" : (route.path.split("/")[3] ?? "");
}

/** Converts named schemas that reference each other. Answers may gain fields over time, bodies may not. */
function toJson(schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io,
    uri: (id) => REFERENCE + id,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Generated clients treat a field with a default as always present and would require it from callers.
      if (io === "input" && jsonSchema.default !== undefined) {
        const about = jsonSchema.description === undefined ? "" : `${jsonSchema.description}; `;
        jsonSchema.description = `${about}${JSON.stringify(jsonSchema.default)} when absent`;
        delete jsonSchema.default;
      }
      // The limits of every JSON integer need no mention.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  );
}

/** Converts a schema where it is used: to a reference if it has a name, else inline with references inside. */
function inPlace(api: ApiDescription, schema: z.ZodType, io: "input" | "output"): Json {
  const named = io === "input" ? api.bodySchemas : api.answerSchemas;
  const name = Object.entries(named).find(([, each]) => each === schema)?.[0];
  return name === undefined ? (toJson({ ...named, here: schema }, io)["here"] ?? {}) : { $ref: REFERENCE + name };
}

/** Returns the named schemas that the document references, directly or indirectly. */
function reachable(document: Json, all: Record<string, Json>): Json {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(all[name]);
    }
  };
  follow(document);
  return Object.fromEntries(Object.entries(all).filter(([name]) => found.has(name)));
}
