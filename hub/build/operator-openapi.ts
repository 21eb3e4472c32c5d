import * as protocol from "@comanda/protocol";
import { errorStatus, operatorRoutes, StreamEvent, type ErrorCode, type OperatorRoute } from "@comanda/protocol";
import { z } from "zod";

type Json = Record<string, unknown>;

const REFERENCE = "#/components/schemas/";

/** The operator API as an OpenAPI 3.1 document, from the table that the hub serves it by. */
export function operatorOpenApi(version: string): Json {
  const names = nameSchemas();
  const all = describe(names);
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<OperatorRoute>(operatorRoutes)) {
    const address = route.path.replace(/:(\w+)/g, "{$1}");
    paths[address] = { ...paths[address], [route.method.toLowerCase()]: operation(name, route, names) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Comanda Hub: operator API",
      version,
      description:
        "What the hub's screens read and do. `public` routes answer without a token in counts and states only; everything " +
        "else needs a manager's back-office session as `Authorization: Bearer`. Times are ISO 8601 UTC.",
    },
    servers: [{ url: "http://127.0.0.1:8766" }],
    paths,
    components: {
      securitySchemes: {
        manager: { type: "http", scheme: "bearer", description: "A manager's back-office session id." },
      },
      schemas: { ...reachable(paths, all), Error: errorSchema() },
    },
  };
}

/** Every schema that has a name of its own in the protocol, and the answers that have none. */
function nameSchemas(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  for (const [name, value] of Object.entries(protocol)) {
    if (!(value instanceof z.ZodType) || !/^[A-Z]/.test(name)) continue;
    const known = names.get(value);
    // Of two names of one schema the shorter says more.
    if (known === undefined || name.length < known.length) names.set(value, name);
  }
  for (const [name, route] of Object.entries<OperatorRoute>(operatorRoutes)) {
    if (route.answer !== undefined && !names.has(route.answer)) names.set(route.answer, `${capital(name)}Answer`);
  }
  return names;
}

function describe(names: ReadonlyMap<z.ZodType, string>): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => REFERENCE + id, unrepresentable: "any", io: "output" });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $id: _id, $schema: _schema, ...rest } = schema as Json;
      return [name, rest];
    }),
  );
}

function operation(name: string, route: OperatorRoute, names: ReadonlyMap<z.ZodType, string>): Json {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    operationId: name,
    summary: route.does,
    security: route.who === "manager" ? [{ manager: [] }] : [{}, { manager: [] }],
    parameters: [...inPath, ...queryParameters(route.query)],
    ...(route.body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: plain(route.body, "input") } } },
    }),
    responses: { [String(route.status ?? 200)]: goodAnswer(route, names), ...refusals(name, route) },
  };
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = plain(query, "output") as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => {
    const hasDefault = typeof schema === "object" && schema !== null && "default" in schema;
    return { name, in: "query", required: required.includes(name) && !hasDefault, schema };
  });
}

function goodAnswer(route: OperatorRoute, names: ReadonlyMap<z.ZodType, string>): Json {
  if (route.stream === true) {
    return {
      description: "Server-sent events",
      content: { "text/event-stream": { schema: reference(StreamEvent, names) } },
    };
  }
  if (route.file === true) {
    return { description: "A download", content: { "application/octet-stream": {} } };
  }
  const schema = route.answer === undefined ? {} : reference(route.answer, names);
  return { description: route.does, content: { "application/json": { schema } } };
}

function refusals(name: string, route: OperatorRoute): Json {
  const codes: ErrorCode[] = ["UNAUTHENTICATED"];
  if (route.who === "manager" || name === "signIn") codes.push("FORBIDDEN", "UPSTREAM_UNAVAILABLE");
  if (route.query !== undefined || route.body !== undefined) codes.push("VALIDATION_ERROR");
  if (route.body !== undefined) codes.push("PAYLOAD_TOO_LARGE");
  if (route.path.includes(":") || route.optional === true) codes.push("NOT_FOUND");
  if (name === "revertOrder") codes.push("CONFLICT", "ORDER_LOCKED", "LEASE_HELD");
  if (name === "settlePayment") codes.push("CONFLICT");
  if (name === "signIn" || name === "stream") codes.push("RATE_LIMITED");
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      { description: list.join(", "), content: { "application/json": { schema: { $ref: `${REFERENCE}Error` } } } },
    ]),
  );
}

function errorSchema(): Json {
  const properties = { error: { type: "string" }, errorCode: { enum: Object.keys(errorStatus) } };
  return { type: "object", properties, required: ["error", "errorCode"], additionalProperties: true };
}

function reference(schema: z.ZodType, names: ReadonlyMap<z.ZodType, string>): Json {
  return { $ref: `${REFERENCE}${names.get(schema) ?? ""}` };
}

function plain(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
}

/** The named schemas that the paths lead to, by whatever way. */
function reachable(paths: Json, all: Record<string, Json>): Record<string, Json> {
  const found = new Map<string, Json>();
  const follow = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = all[name];
      if (schema === undefined || found.has(name)) continue;
      found.set(name, schema);
      follow(schema);
    }
  };
  follow(paths);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
