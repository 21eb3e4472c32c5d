import { z } from "zod";
import { plainText } from "../basics/fields.ts";

export const Scope = z.enum(["read", "orders:write", "webhooks:manage", "plugins:write"]);
export type Scope = z.infer<typeof Scope>;

/** The purposes of a key, as in the recipes of docs/integrations, with the scopes that each needs. */
export const keyPurposes = {
  orders: ["read", "orders:write"],
  floor: ["read"],
  webhooks: ["read", "webhooks:manage"],
  bookings: ["read", "plugins:write"],
} as const satisfies Record<string, readonly Scope[]>;
export const KeyPurpose = z.enum(["orders", "floor", "webhooks", "bookings"]) satisfies z.ZodType<
  keyof typeof keyPurposes
>;
export type KeyPurpose = z.infer<typeof KeyPurpose>;

/** Returns the scopes that several purposes need together, without duplicates. */
export function scopesFor(purposes: readonly KeyPurpose[]): Scope[] {
  const needed = new Set<Scope>(purposes.flatMap((purpose) => keyPurposes[purpose]));
  return Scope.options.filter((scope) => needed.has(scope));
}

/** Prefix of every API token. Any other bearer value belongs to a terminal or a manager. */
export const API_KEY_PREFIX = "hub_";

export const CreateKey = z.strictObject({
  label: plainText(120).trim().min(1),
  scopes: z
    .array(Scope)
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: "a scope is listed twice" })
    .meta({ uniqueItems: true }),
});
export type CreateKey = z.infer<typeof CreateKey>;

export const UpdateKey = z.strictObject({ enabled: z.boolean() });

/** An API key as listed; its token is returned only at creation. Times are `YYYY-MM-DD HH:MM:SS` UTC. */
export const ApiKey = z.object({
  keyId: z.string(),
  label: z.string(),
  scopes: z.array(Scope),
  enabled: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;
