import { z } from "zod";
import { CreateOrder } from "./orders.ts";

/** A sample order for a first test, with the names of its dish and table; `tableName` is null for takeout. */
export const SampleOrder = z.object({ order: CreateOrder, dishName: z.string(), tableName: z.string().nullable() });
export type SampleOrder = z.infer<typeof SampleOrder>;

/** Returns a POSIX shell command that creates the order with a key. */
export function firstOrderCommand({ url, token, order }: { url: string; token: string; order: CreateOrder }): string {
  return [
    `curl -sS "${url}/external/v1/orders"`,
    `  -H "X-Api-Key: ${token}" -H "Content-Type: application/json"`,
    `  -d ${quotedForShell(JSON.stringify(order))}`,
  ].join(" \\\n");
}

/** Returns a text quoted as one POSIX shell word. */
export function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
