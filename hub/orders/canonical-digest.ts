import { hash } from "node:crypto";

/** A digest of what a mutation asks for, the same whatever the order of its keys. */
export function canonicalDigest(value: unknown): string {
  return hash("sha256", JSON.stringify(sorted(value)), "base64url");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
