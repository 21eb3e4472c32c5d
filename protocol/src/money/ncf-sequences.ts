import { z } from "zod";

/** `low`: at most 200 left. `expiring`: at most 14 days to its last day. `used_up` and `expired` give no more numbers. */
export const NcfSequenceState = z.enum(["ok", "low", "expiring", "used_up", "expired"]);
export type NcfSequenceState = z.infer<typeof NcfSequenceState>;

/** A granted range of fiscal numbers; `expiresOn` (`YYYY-MM-DD`) is the last day on which they may be used. */
export const NcfSequenceStatus = z.object({
  type: z.string(),
  prefix: z.string(),
  left: z.int(),
  expiresOn: z.string().nullable(),
  state: NcfSequenceState,
});
export type NcfSequenceStatus = z.infer<typeof NcfSequenceStatus>;
