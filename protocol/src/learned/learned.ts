import { z } from "zod";
import { IsoTime } from "../basics/fields.ts";

/** Guests order differently on a weekend, which lasts from Friday to Sunday. */
export const DaysOfWeek = z.enum(["week", "weekend"]);
export type DaysOfWeek = z.infer<typeof DaysOfWeek>;

/** A product's share of all sales, from 0 to 1. */
export const LearnedShare = z.object({ productId: z.string(), share: z.number() });
export type LearnedShare = z.infer<typeof LearnedShare>;

/** The kitchen's usual time for a dish, from sent to ready: the median of `samples` times. */
export const DishTime = z.object({ productId: z.string(), usualMs: z.int(), samples: z.int() });
export type DishTime = z.infer<typeof DishTime>;

/**
 * What the hub has learned from the sales and kitchen work of the four weeks before this business day. It does not change
 * during the day. Lists are empty while there is too little history.
 */
export const Learned = z.object({
  /** The restaurant's time zone: `hour` is in it, not in the device's. */
  timeZone: z.string(),
  /** Products by sales, best-selling first, for each hour of both kinds of days. */
  hours: z.array(z.object({ hour: z.int().min(0).max(23), days: DaysOfWeek, products: z.array(LearnedShare) })),
  /** Products by sales of each person, best-selling first, over all hours. */
  people: z.array(z.object({ name: z.string(), products: z.array(LearnedShare) })),
  dishTimes: z.array(DishTime),
  /** End of the counted period; null if the hub has not counted yet. */
  asOf: IsoTime.nullable(),
});
export type Learned = z.infer<typeof Learned>;
