import type { IncomingMessage } from "node:http";
import { brokenInput } from "@comanda/protocol";
import getRawBody from "raw-body";
import type { z } from "zod";
import { parseJson } from "./parse-json.ts";
import { Refusal } from "./refusal.ts";

const BODY_LIMIT = 262_144;
const MAX_DEPTH = 64;

/** Reads a request's JSON body and validates it with `schema`. Throws PAYLOAD_TOO_LARGE or VALIDATION_ERROR. */
export async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>, limit = BODY_LIMIT): Promise<T> {
  const value = parseJson(await readBytes(request, limit));
  if (value === undefined) throw new Refusal("VALIDATION_ERROR", "the body is not valid JSON in UTF-8");
  const broken = brokenInput(value, MAX_DEPTH);
  if (broken !== null) throw new Refusal("VALIDATION_ERROR", broken);
  return parse(schema, value, "body");
}

/** Validates a value with `schema`. Messages name the wrong field, or else `whole`. Throws VALIDATION_ERROR. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, whole: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || whole}: ${message}`);
  throw new Refusal("VALIDATION_ERROR", problems.slice(0, 20).join("; "));
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers["content-length"] ?? null });
  } catch (error) {
    const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
    if (isTooLarge) throw new Refusal("PAYLOAD_TOO_LARGE", `the body is larger than ${limit} bytes`);
    throw new Refusal("VALIDATION_ERROR", "the body could not be read");
  }
}
