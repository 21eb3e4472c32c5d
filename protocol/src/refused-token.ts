import { z } from "zod";

/** A token that does not count for a mutation: `early` was queued before it was given, `used` approved another one. */
export const RefusedToken = z.object({
  of: z.enum(["actor", "approval"]),
  why: z.enum(["expired", "early", "pin_revoked", "device_forgotten", "used", "for_approval", "unknown"]),
});
export type RefusedToken = z.infer<typeof RefusedToken>;
