import type { IncomingMessage } from "node:http";
import { brokenInput } from "@comanda/protocol";
import getRawBody from "raw-body";
import { Refusal } from "../refusal.ts";

const LIMIT = 262_144;
const MAX_DEPTH = 16;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a request's JSON object. Only as `application/json`, which no form of a foreign page can send. */
export async function readJsonBody(request: IncomingMessage): Promise<object> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal("VALIDATION_ERROR", "Content-Type: must be application/json");
  }
  const value = parse(await readBytes(request));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("VALIDATION_ERROR", "the body must be a JSON object");
  }
  const broken = brokenInput(value, MAX_DEPTH);
  if (broken !== null) throw new Refusal("VALIDATION_ERROR", broken);
  return value;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: LIMIT, length: request.headers["content-length"] ?? null });
  } catch (error) {
    const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
    if (isTooLarge) throw new Refusal("PAYLOAD_TOO_LARGE", `the body is larger than ${LIMIT} bytes`);
    throw new Refusal("VALIDATION_ERROR", "the body could not be read");
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal("VALIDATION_ERROR", "the body is not valid JSON in UTF-8");
  }
}
