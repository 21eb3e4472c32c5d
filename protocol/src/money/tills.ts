import { z } from "zod";
import { Money, noteText } from "../basics/fields.ts";
import { CurrencyCode, MethodId } from "./payments.ts";

/** The id of a till, which the hub or a manager gives. */
export const TillId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "1 to 64 characters of A-Z a-z 0-9 . _ -");

/** Cash is counted in cents. */
const counted = Money.min(0).multipleOf(0.01, { error: "must have at most two decimals" });

/** An amount of a till that may be nothing: a float, or a count. */
export const CountedAmount = counted;
/** An amount that moves. */
export const MovedAmount = counted.positive();

/** What of one method lies there: with `currency`, that of another country, in it. */
export const CountedMethod = z.object({
  methodId: MethodId,
  currency: CurrencyCode.optional(),
  amount: CountedAmount,
  /** How many of each note and coin. */
  pieces: z
    .array(z.object({ value: z.number().positive().max(1_000_000), count: z.int().nonnegative().max(100_000) }))
    .max(40)
    .optional(),
});
export type CountedMethod = z.infer<typeof CountedMethod>;

/** Money that a count does not name, although it has to. */
export const UncountedMethod = CountedMethod.pick({ methodId: true, currency: true });
export type UncountedMethod = z.infer<typeof UncountedMethod>;

export const FloatOfCurrency = z.object({ currency: CurrencyCode, amount: CountedAmount });
export type FloatOfCurrency = z.infer<typeof FloatOfCurrency>;

/** Money that goes into a drawer or out of it beside the sales; a drop goes to the safe. */
export const MoveKind = z.enum(["in", "out", "drop"]);
export type MoveKind = z.infer<typeof MoveKind>;

/** `counted`: a count that is too far off waits for a manager. */
export const ShiftState = z.enum(["open", "counted", "closed"]);
export type ShiftState = z.infer<typeof ShiftState>;

/** What a drawer is opened for without a sale. */
export const DrawerReason = noteText(200).min(1);

/** A drawer as terminals know it, with the shift that is not closed. No amount of it is told to them. */
export const TillState = z.object({
  id: z.string(),
  name: z.string(),
  /** The terminals whose money lies in it. */
  terminals: z.array(z.string()),
  shift: z
    .object({ id: z.string(), openedAt: z.string(), openedBy: z.string(), state: ShiftState.exclude(["closed"]) })
    .nullable(),
  /** The till was deleted. */
  removed: z.literal(true).optional(),
});
export type TillState = z.infer<typeof TillState>;
