import { z } from "zod";
import { IsoTime } from "./basics/fields.ts";

/** A practice in which nothing has been done for so long ends by itself. */
export const PRACTICE_IDLE_MS = 30 * 60_000;

/** `since` is null while there is none; `people` are those who came to this one, `devices` those connected now. */
export const PracticeStatus = z.object({
  since: IsoTime.nullable(),
  people: z.array(z.string()),
  devices: z.int().nonnegative(),
});
export type PracticeStatus = z.infer<typeof PracticeStatus>;
