import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { describeIssues } from "../../platform/describe-issues.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { readJsonObject } from "../body.ts";

/** The value as the schema gives it, or VALIDATION_ERROR naming each thing that is wrong. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HubError("VALIDATION_ERROR", describeIssues(parsed.error));
}

/** The body as the schema gives it, or PAYLOAD_TOO_LARGE, or VALIDATION_ERROR. */
export async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  return parse(schema, await readJsonObject(request));
}

/** The token of `Authorization: Bearer …`, or null. */
export function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

const DRAIN_BYTES = 1_048_576;
const DRAIN_MS = 500;

/**
 * Reads away what is left of a refused request's body, within bounds, so that the sender gets to see the refusal and
 * not a reset connection.
 */
export function drain(world: World, request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const done = (): void => {
      world.timers.clearTimeout(timer);
      request.off("data", count);
      request.off("end", done);
      request.off("close", done);
      request.pause();
      resolve();
    };
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > DRAIN_BYTES) done();
    };
    const timer = world.timers.setTimeout(done, DRAIN_MS);
    request.on("data", count);
    request.on("end", done);
    request.on("close", done);
    request.resume();
  });
}
