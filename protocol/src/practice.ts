import { z } from "zod";
import { IsoTime } from "./basics/fields.ts";

/** A practice without activity for this long ends automatically. */
export const PRACTICE_IDLE_MS = 30 * 60_000;

/** `since` is null if there is no practice. `people` have joined it since; `devices` are connected now. */
export const PracticeStatus = z.object({
  since: IsoTime.nullable(),
  people: z.array(z.string()),
  devices: z.int().nonnegative(),
});
export type PracticeStatus = z.infer<typeof PracticeStatus>;
