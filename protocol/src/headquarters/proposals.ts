import { z } from "zod";
import { IsoTime, plainText, Quantity } from "../basics/fields.ts";
import { ItemAvailability } from "../orders/kitchen.ts";
import { Said } from "../operator/sentences.ts";

// What a chain's headquarters propose to a restaurant (protocol/spec/CHAIN.md).

const Instant = z.iso.datetime();

/** The key of the item of a proposal: the id of a product, or the name of a setting. */
const ItemKey = plainText(120).min(1);

/** What is to become of a product (86); `until` as of an `ItemState`. */
export const ProposedStock = z.object({
  state: ItemAvailability,
  left: Quantity.nullish(),
  until: IsoTime.nullish(),
});
export type ProposedStock = z.infer<typeof ProposedStock>;

/** How a house stands with its chain is its own: nobody gets at its guests or its diagnosis by a proposal. */
export function isOfTheHouse(setting: string): boolean {
  return setting.startsWith("HUB_CHAIN_");
}

/** The value of a setting; null for its default. */
export const ProposedSetting = plainText(4_000).nullable();

/** At most 200 of one kind, no key twice. `was`: what headquarters believe to be there; without it, whatever is. */
const itemsOf = <T extends z.ZodType>(want: T) =>
  z
    .array(z.object({ key: ItemKey, was: want.optional(), want }))
    .min(1)
    .max(200)
    .refine((items) => new Set(items.map(({ key }) => key)).size === items.length, { error: "two items have one key" });

const terms = {
  title: plainText(200).min(1),
  /** From when on it is to hold. */
  at: Instant,
  /** Neither applied nor asked after that. */
  until: Instant,
};
/** `apply`: at once; `ask`: a manager of the restaurant decides. Nobody changes the settings of a restaurant without it. */
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

/** What somebody at headquarters writes. */
export const ProposalTerms = z.discriminatedUnion("kind", [z.object(stockTerms), z.object(settingTerms)]);
export type ProposalTerms = z.infer<typeof ProposalTerms>;

const origin = { id: plainText(40).min(1), version: z.int().positive(), by: plainText(120) };

/** Something that headquarters propose to a restaurant: 86 of products, or settings. It is done whole or not at all. */
export const Proposal = z.discriminatedUnion("kind", [
  z.object({ ...origin, ...stockTerms }),
  z.object({ ...origin, ...settingTerms }),
]);
export type Proposal = z.infer<typeof Proposal>;

/**
 * The one document of a restaurant: all that is proposed and not answered. A lower `rev` than the last one seen is refused. Each
 * proposal is read on its own, so that one that an older hub does not know spoils no other.
 */
export const DesiredState = z.object({ rev: z.int().nonnegative(), proposals: z.array(z.unknown()).max(200) });
export type DesiredState = z.infer<typeof DesiredState>;

/**
 * `waiting`: for a manager, or its time; `conflict`: for a manager, because something else is there than headquarters believe.
 * All others are ends: `refused` by the hub itself, `withdrawn` by headquarters before it was done.
 */
export const ProposalState = z.enum(["waiting", "conflict", "applied", "declined", "refused", "expired", "withdrawn"]);
export type ProposalState = z.infer<typeof ProposalState>;

/** What became of a proposal at a restaurant: the body of a fact of the kind `proposal`. */
export const ProposalOutcome = z.object({
  id: z.string(),
  version: z.int(),
  state: ProposalState,
  /** The manager who decided. */
  by: z.string().optional(),
  /** Why it was refused, in English. */
  code: z.string().optional(),
  error: z.string().optional(),
  /** The same as a sentence with its values, where the hub has one. */
  said: Said.optional(),
  /** What was there: before it was applied, or in place of what headquarters believed. */
  items: z
    .array(z.object({ key: ItemKey, was: z.unknown().optional(), want: z.unknown(), now: z.unknown() }))
    .optional(),
});
export type ProposalOutcome = z.infer<typeof ProposalOutcome>;
