import { hash } from "node:crypto";
import type { OrderMutation } from "@comanda/protocol";

/**
 * Returns a digest of a mutation's content: independent of its tokens, its request id, its time, and the order of keys.
 */
export function mutationDigest(mutation: OrderMutation): string {
  const { requestId: _, queuedAt: __, actor: ___, approval: ____, ...content } = mutation;
  return hash("sha256", JSON.stringify(sorted(content)), "base64url");
}

/** Returns objects as lists of their keys and values, in the order of the keys. A list begins with 0, which is no key. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [0, ...value.map(sorted)];
  const fields: unknown[] = [];
  for (const key of Object.keys(value).sort()) fields.push(key, sorted((value as Record<string, unknown>)[key]));
  return fields;
}
