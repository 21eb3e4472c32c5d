import { z } from "zod";

/** Why a token does not count for a mutation: `early` was queued before it was given, `used` has approved another one. */
export type TokenRefusal =
  | "expired"
  | "early"
  | "pin_revoked"
  | "device_forgotten"
  | "used"
  | "for_approval"
  | "unknown";

/** A token that does not count; a reader takes reasons that it does not know. */
export const RefusedToken = z.object({ of: z.enum(["actor", "approval"]), why: z.string() });
export type RefusedToken = z.infer<typeof RefusedToken>;
