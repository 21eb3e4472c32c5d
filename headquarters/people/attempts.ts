import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";

export const ATTEMPT_MS = 10 * 60_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Above this, the oldest are dropped. The provider accepts a code only once anyway. */
const MAX_USED = 10_000;

const Sealed = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() });
type Sealed = z.infer<typeof Sealed>;

/** The values of a sign-in attempt that are needed when the browser comes back. */
export type Attempt = Omit<Sealed, "until">;

/**
 * Stores sign-in attempts encrypted in the browsers that make them, so that strangers cannot fill memory here. The key changes
 * with each start of the program: a sign-in that is under way during a restart has to begin again.
 */
export function createAttempts(now: () => number) {
  const key = randomBytes(32);
  /** The states of used attempts, with their expiry (ms since 1970). */
  const used = new Map<string, number>();

  function open(sealed: string): Sealed | null {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      return Sealed.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  return {
    seal(attempt: Attempt): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      const text = JSON.stringify({ ...attempt, until: now() + ATTEMPT_MS } satisfies Sealed);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    /** Returns the attempt with this state, once and within ten minutes; null otherwise. */
    take(sealed: string, state: string): Attempt | null {
      const attempt = open(sealed);
      if (attempt === null || attempt.state !== state || attempt.until <= now() || used.has(state)) return null;
      for (const [each, until] of used) if (until <= now() || used.size >= MAX_USED) used.delete(each);
      used.set(state, attempt.until);
      return attempt;
    },
  };
}
