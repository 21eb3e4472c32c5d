import { hash, timingSafeEqual } from "node:crypto";
import { API_KEY_PREFIX } from "@comanda/protocol";

/** The two parts of `hub_{keyId}_{secret}`. */
export interface KeyToken {
  keyId: string;
  secret: string;
}

/** Neither part contains an underscore, so a token splits in only one way. */
const tokenForm = new RegExp(`^${API_KEY_PREFIX}([A-Za-z0-9-]{1,64})_([A-Za-z0-9-]{1,256})$`);

export function formatToken({ keyId, secret }: KeyToken): string {
  return `${API_KEY_PREFIX}${keyId}_${secret}`;
}

export function parseToken(token: string): KeyToken | null {
  const [, keyId, secret] = tokenForm.exec(token) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

/** Returns the stored form of a secret. The secret has 256 random bits, so plain SHA-256 resists a search. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares in constant time. */
export function matchesDigest(secret: string, digest: string): boolean {
  const presented = hash("sha256", secret, "buffer");
  const stored = Buffer.from(digest, "hex");
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}
