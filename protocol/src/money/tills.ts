import { z } from "zod";
import { Money, noteText } from "../basics/fields.ts";
import { CurrencyCode, MethodId } from "./payments.ts";

/** The id of a till, assigned by the hub or a manager. */
export const TillId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "1 to 64 characters of A-Z a-z 0-9 . _ -");

/** Cash is counted in cents. */
const counted = Money.min(0).multipleOf(0.01, { error: "must have at most two decimals" });

/** An amount in a till that may be zero: a float, or a count. */
export const CountedAmount = counted;
/** An amount put into a till or taken out of it; above zero. */
export const MovedAmount = counted.positive();

/** The counted amount of one method. With `currency`, foreign cash in that currency. */
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

/** A method that a count must include, but does not. */
export const UncountedMethod = CountedMethod.pick({ methodId: true, currency: true });
export type UncountedMethod = z.infer<typeof UncountedMethod>;

export const FloatOfCurrency = z.object({ currency: CurrencyCode, amount: CountedAmount });
export type FloatOfCurrency = z.infer<typeof FloatOfCurrency>;

/** Money put into a drawer or taken out of it apart from sales. A `drop` goes to the safe. */
export const MoveKind = z.enum(["in", "out", "drop"]);
export type MoveKind = z.infer<typeof MoveKind>;

/** `counted`: the count is off by too much and waits for a manager. */
export const ShiftState = z.enum(["open", "counted", "closed"]);
export type ShiftState = z.infer<typeof ShiftState>;

/** Why a drawer was opened without a sale. */
export const DrawerReason = noteText(200).min(1);

/** A till as terminals see it, with its shift that is not closed. Terminals get no amounts. */
export const TillState = z.object({
  id: z.string(),
  name: z.string(),
  /** The terminals whose takings go into this drawer. */
  terminals: z.array(z.string()),
  shift: z
    .object({ id: z.string(), openedAt: z.string(), openedBy: z.string(), state: ShiftState.exclude(["closed"]) })
    .nullable(),
  /** The till was deleted. */
  removed: z.literal(true).optional(),
});
export type TillState = z.infer<typeof TillState>;
