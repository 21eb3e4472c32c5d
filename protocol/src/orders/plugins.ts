import { z } from "zod";
import { printableText } from "../basics/fields.ts";

const NO_PLUGIN_ID = "1 to 64 characters of a-z 0-9 -";
export const PluginId = z.string().regex(/^[a-z0-9-]{1,64}$/, NO_PLUGIN_ID);

/** The id of a record within its plugin: 1 to 128 printable characters. */
export const PluginKey = printableText();

/** Limits of a plugin payload. */
export const pluginCaps = { bytes: 8192, depth: 5, string: 2000, array: 100, key: 64 } as const;

/** An object with every key that was sent. A zod record silently drops a key named `__proto__`. */
const wholeObject = z
  .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
    error: "must be an object",
    abort: true,
  })
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} });

const payload = wholeObject
  .superRefine((value, context) => {
    const broken = brokenPluginCap(value);
    if (broken !== null) context.addIssue({ code: "custom", message: broken });
  })
  .meta({
    description:
      `any object of at most ${pluginCaps.bytes} bytes and ${pluginCaps.depth} levels, with strings of ` +
      `${pluginCaps.string} characters, lists of ${pluginCaps.array} entries and keys of ${pluginCaps.key} characters`,
  });

/** POST /external/v1/plugins/:pluginId/events. */
export const PostPluginEvent = z.strictObject({
  key: PluginKey.describe("replaces the record with the same key, if there is one"),
  payload,
  ttlSeconds: z.int().min(1).max(31_536_000).optional().describe("seconds until the record expires; never if absent"),
});
export type PostPluginEvent = z.infer<typeof PostPluginEvent>;

const payloadByPlugin = z.record(PluginId, payload);

/** Objects that integrations attach to an order, by plugin id. Merged per plugin, never forwarded to the back-office. */
export const PluginData = z.preprocess((value: z.input<typeof payloadByPlugin>, context) => {
  // `payloadByPlugin` would silently drop this key (see `wholeObject`).
  if (Object.hasOwn(Object(value), "__proto__")) {
    context.addIssue({ code: "custom", message: NO_PLUGIN_ID, path: ["__proto__"] });
  }
  return value;
}, payloadByPlugin);

/** A stored record; times are ISO 8601 UTC. `version` never decreases, even after a removal. */
export const PluginRecord = z.looseObject({
  pluginId: z.string(),
  key: z.string(),
  payload: wholeObject,
  version: z.int().positive(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string().nullable(),
  /** Why terminals drop this record of `reservations` or `waiting`. Absent if they accept it, and for other plugins. */
  warnings: z.array(z.string()).optional(),
});
export type PluginRecord = z.infer<typeof PluginRecord>;

/** Returns the limit that a payload exceeds, or null. A flat object has depth 1. Not recursive. */
export function brokenPluginCap(root: unknown): string | null {
  const queue: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const { value, depth } = entry;
    if (typeof value === "string" && isLonger(value, pluginCaps.string)) {
      return `a string is longer than ${pluginCaps.string} characters`;
    }
    if (typeof value === "number" && !Number.isFinite(value)) return "a number is not finite";
    if (typeof value !== "object" || value === null) continue;
    if (depth > pluginCaps.depth) return `nested deeper than ${pluginCaps.depth} levels`;
    if (Array.isArray(value)) {
      if (value.length > pluginCaps.array) return `an array has more than ${pluginCaps.array} entries`;
      for (const item of value) queue.push({ value: item, depth: depth + 1 });
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      if (isLonger(key, pluginCaps.key)) return `a key is longer than ${pluginCaps.key} characters`;
      queue.push({ value: item, depth: depth + 1 });
    }
  }
  const bytes = new TextEncoder().encode(JSON.stringify(root)).length;
  return bytes > pluginCaps.bytes ? `larger than ${pluginCaps.bytes} bytes when serialized` : null;
}

/** Returns whether a text has more than `max` characters. Those beyond U+FFFF count once, as in all other text limits. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}
