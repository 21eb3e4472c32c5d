import type { IncomingMessage } from "node:http";
import { brokenInput } from "@comanda/protocol";
import getRawBody from "raw-body";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";

/** Largest body of a request in bytes, with a Content-Length or chunked. */
export const BODY_LIMIT = 262_144;
/** The limit for requests without a confirmed session or key. */
export const PUBLIC_BODY_LIMIT = 4_096;
const MAX_DEPTH = 64;
/** How much of a refused body is read, and for how long. */
const DRAIN_BYTES = 1_048_576;
const DRAIN_MS = 500;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's JSON object. Hand-written because the usual parsers return `{}` for a wrong Content-Type and silently
 * repair invalid UTF-8. The field `opaque` is not validated. Throws PAYLOAD_TOO_LARGE or VALIDATION_ERROR.
 */
export async function readJsonObject(
  request: IncomingMessage,
  limit: number,
  opaque?: string,
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limit);
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    throw new HubError("VALIDATION_ERROR", "Content-Type: must be application/json");
  }
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HubError("VALIDATION_ERROR", "the body must be a JSON object");
  }
  const body: Record<string, unknown> = { ...value };
  const broken = brokenInput(opaque === undefined ? body : { ...body, [opaque]: null }, MAX_DEPTH);
  if (broken !== null) throw new HubError("VALIDATION_ERROR", broken);
  return body;
}

/** Whether a request has a body, with a Content-Length or chunked. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Reads and discards a body that is not needed. Throws PAYLOAD_TOO_LARGE like any other. */
export async function skipBody(request: IncomingMessage, limit: number): Promise<undefined> {
  if (hasBody(request)) await readBytes(request, limit);
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers["content-length"] ?? null });
  } catch (error) {
    const type = error instanceof Error && "type" in error ? error.type : "";
    if (type === "entity.too.large") {
      throw new HubError("PAYLOAD_TOO_LARGE", `the body is larger than ${limit} bytes`);
    }
    throw new HubError("VALIDATION_ERROR", "the body could not be read");
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new HubError("VALIDATION_ERROR", "the body is not valid JSON in UTF-8");
  }
}

/**
 * Reads and discards the rest of a refused request's body, within bounds, so that the sender sees the refusal instead
 * of a reset connection.
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
