import { z } from "zod";
import { IsoTime } from "../basics/fields.ts";

/** Guests order otherwise on a weekend: from Friday to Sunday. */
export const DaysOfWeek = z.enum(["week", "weekend"]);
export type DaysOfWeek = z.infer<typeof DaysOfWeek>;

/** A product's part of what was sold, from 0 to 1. */
export const LearnedShare = z.object({ productId: z.string(), share: z.number() });
export type LearnedShare = z.infer<typeof LearnedShare>;

/** How long the kitchen usually takes for a dish, from its being sent until it is ready: the median of `samples` times. */
export const DishTime = z.object({ productId: z.string(), usualMs: z.int(), samples: z.int() });
export type DishTime = z.infer<typeof DishTime>;

/**
 * What the hub has learned from the sales and the kitchen work of the last four weeks, up to the beginning of the business
 * day: what it says is the same all day. Lists are empty while there is too little history.
 */
export const Learned = z.object({
  /** The restaurant's own: `hour` is by its clock, whatever the device's clock says. */
  timeZone: z.string(),
  /** What the restaurant sells, most sold first, for each hour of the two kinds of days. */
  hours: z.array(z.object({ hour: z.int().min(0).max(23), days: DaysOfWeek, products: z.array(LearnedShare) })),
  /** What each of the staff sells, most sold first, whatever the hour. */
  people: z.array(z.object({ name: z.string(), products: z.array(LearnedShare) })),
  dishTimes: z.array(DishTime),
  /** Up to when it was counted; null: the hub has not counted yet. */
  asOf: IsoTime.nullable(),
});
export type Learned = z.infer<typeof Learned>;
