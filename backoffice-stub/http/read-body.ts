import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { Refusal } from "../refusal.ts";

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 100;

/** A request body: none, JSON, or a bad one, which is refused only after authentication. */
export type Body =
  | { kind: "none" }
  | { kind: "json"; text: string; value: unknown }
  | { kind: "bad"; refusal: Refusal };

/** Reads a body of any Content-Type. Never throws: a bad body carries its refusal. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  let bytes: Buffer;
  try {
    bytes = await getRawBody(request, { limit: maxBytes, length: request.headers["content-length"] ?? null });
  } catch (error) {
    request.resume();
    const tooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
    return bad(
      tooLarge
        ? new Refusal("PAYLOAD_TOO_LARGE", `the body is larger than ${maxBytes} bytes`)
        : new Refusal("VALIDATION_ERROR", "the body could not be read"),
    );
  }
  if (bytes.length === 0) return { kind: "none" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(value, maxDepth)) return bad(new Refusal("VALIDATION_ERROR", "the body is nested too deeply"));
    return { kind: "json", text, value };
  } catch {
    return bad(new Refusal("VALIDATION_ERROR", "the body is not valid JSON"));
  }
}

/** Returns the body as an object, `{}` if there is none. Throws a Refusal for a bad body. */
export function objectBody(body: Body): Record<string, unknown> {
  if (body.kind === "none") return {};
  if (body.kind === "bad") throw body.refusal;
  if (!isObject(body.value)) throw new Refusal("VALIDATION_ERROR", "the body must be a JSON object");
  return body.value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(refusal: Refusal): Body {
  return { kind: "bad", refusal };
}

/** Works level by level: recursion over a hostile body would overflow the stack. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached > depth) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
