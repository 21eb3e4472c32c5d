import { z } from "zod";
import * as protocol from "../src/index.ts";

const options = { io: "input", unrepresentable: "any" } as const;

/** Every schema of the protocol as JSON Schema 2020-12, by its exported name; requests as they go over the wire. */
export function jsonSchemas(): object {
  const registry = z.registry<{ id: string }>();
  const aliases: [string, z.ZodType][] = [];
  const exported: [string, unknown][] = Object.entries(protocol);
  for (const [name, schema] of exported.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!(schema instanceof z.ZodType)) continue;
    if (registry.has(schema)) aliases.push([name, schema]);
    else registry.add(schema, { id: name });
  }
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: (id) => `#/$defs/${id}` });
  const definitions = Object.entries(schemas).map(([name, schema]): [string, object] => [name, withoutMarks(schema)]);
  const aliasDefinitions = aliases.map(([name, schema]): [string, object] => [
    name,
    { $ref: `#/$defs/${registry.get(schema)?.id ?? ""}` },
  ]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: Object.fromEntries([...definitions, ...aliasDefinitions]),
  };
}

/** One schema by itself; rules that JSON Schema cannot say are left to the text. */
export function jsonSchema(schema: z.ZodType): object {
  return withoutMarks(z.toJSONSchema(schema, options));
}

function withoutMarks(schema: object): object {
  const marks = new Set(["$schema", "$id"]);
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !marks.has(key)));
}
