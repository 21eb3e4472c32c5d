import { z } from "zod";

/** Why a token is not valid for a mutation. `early`: queued before the token was issued. `used`: by another mutation. */
export type TokenRefusal =
  | "expired"
  | "early"
  | "pin_revoked"
  | "device_forgotten"
  | "used"
  | "for_approval"
  | "unknown";

/** An invalid token. Readers must accept values of `why` that they do not know. */
export const RefusedToken = z.object({ of: z.enum(["actor", "approval"]), why: z.string() });
export type RefusedToken = z.infer<typeof RefusedToken>;
