import { z } from "zod";
import { IsoTime, plainText, Quantity } from "../basics/fields.ts";
import { ItemAvailability } from "../orders/kitchen.ts";
import { Sentence } from "../operator/sentences.ts";

// The proposals of a chain's headquarters to a restaurant (protocol/spec/CHAIN.md).

const Instant = z.iso.datetime();

/** The key of a proposal's item: a product id, or the name of a setting. */
const ItemKey = plainText(120).min(1);

/** The proposed stock state of a product; `until` as in `ItemState`. */
export const ProposedStock = z.object({
  state: ItemAvailability,
  left: Quantity.nullish(),
  until: IsoTime.nullish(),
});
export type ProposedStock = z.infer<typeof ProposedStock>;

/** Returns whether a setting may not be proposed: HUB_CHAIN_* decide what headquarters can see of a restaurant. */
export function isChainSetting(setting: string): boolean {
  return setting.startsWith("HUB_CHAIN_");
}

/** The value of a setting; null for the default. */
export const ProposedSetting = plainText(4_000).nullable();

/** At most 200 items with unique keys. `was`: the value that headquarters expect; without it, any value is accepted. */
const itemsOf = <T extends z.ZodType>(want: T) =>
  z
    .array(z.object({ key: ItemKey, was: want.optional(), want }))
    .min(1)
    .max(200)
    .refine((items) => new Set(items.map(({ key }) => key)).size === items.length, {
      error: "two items have the same key",
    });

const terms = {
  title: plainText(200).min(1),
  /** When the proposal takes effect. */
  at: Instant,
  /** When the proposal expires: after it, the proposal is neither applied nor shown for a decision. */
  until: Instant,
};
/** `apply`: immediately. `ask`: a manager of the restaurant decides, which settings always need. */
const stockTerms = {
  kind: z.literal("stock"),
  ...terms,
  policy: z.enum(["ask", "apply"]),
  items: itemsOf(ProposedStock),
};
const settingTerms = {
  kind: z.literal("settings"),
  ...terms,
  policy: z.literal("ask"),
  items: itemsOf(ProposedSetting),
};

/** A proposal as a person at headquarters writes it. */
export const ProposalTerms = z.discriminatedUnion("kind", [z.object(stockTerms), z.object(settingTerms)]);
export type ProposalTerms = z.infer<typeof ProposalTerms>;

const origin = { id: plainText(40).min(1), version: z.int().positive(), by: plainText(120) };

/** A proposal for a restaurant: stock states or settings. It is applied completely or not at all. */
export const Proposal = z.discriminatedUnion("kind", [
  z.object({ ...origin, ...stockTerms }),
  z.object({ ...origin, ...settingTerms }),
]);
export type Proposal = z.infer<typeof Proposal>;

/**
 * A restaurant's one document, with every proposal that is not answered. A `rev` lower than the last one seen is rejected.
 * Each proposal is parsed separately, so one that an older hub does not know cannot invalidate the rest.
 */
export const DesiredState = z.object({ rev: z.int().nonnegative(), proposals: z.array(z.unknown()).max(200) });
export type DesiredState = z.infer<typeof DesiredState>;

/**
 * `waiting`: for a manager, or for its time. `conflict`: for a manager, because the current value is not the one that
 * headquarters expected. The rest are final; `refused` is by the hub itself, `withdrawn` by headquarters before it was applied.
 */
export const ProposalState = z.enum(["waiting", "conflict", "applied", "declined", "refused", "expired", "withdrawn"]);
export type ProposalState = z.infer<typeof ProposalState>;

/** The outcome of a proposal at a restaurant: the body of a fact of kind `proposal`. */
export const ProposalOutcome = z.object({
  id: z.string(),
  version: z.int(),
  state: ProposalState,
  /** The manager who accepted or declined it. */
  by: z.string().optional(),
  /** Why it was refused, in English. */
  code: z.string().optional(),
  error: z.string().optional(),
  /** The same reason as a sentence with values, if the hub has one. */
  said: Sentence.optional(),
  /** The previous values: those before it was applied, or those found instead of the expected ones. */
  items: z
    .array(z.object({ key: ItemKey, was: z.unknown().optional(), want: z.unknown(), now: z.unknown() }))
    .optional(),
});
export type ProposalOutcome = z.infer<typeof ProposalOutcome>;
