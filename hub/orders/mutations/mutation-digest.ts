import { hash } from "node:crypto";
import type { OrderMutation } from "@comanda/protocol";

/**
 * A digest of what a mutation asks for: independent of its signer, of when it is sent, and of the order of its keys.
 */
export function mutationDigest(mutation: OrderMutation): string {
  const { requestId: _, queuedAt: __, actor: ___, approval: ____, ...content } = mutation;
  return hash("sha256", JSON.stringify(sorted(content)), "base64url");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
