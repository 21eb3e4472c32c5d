import { z } from "zod";
import { CreateOrder } from "./orders.ts";

/** An order for a first try, with the names of its dish and its table; `tableName` is null for a takeout. */
export const SampleOrder = z.object({ order: CreateOrder, dishName: z.string(), tableName: z.string().nullable() });
export type SampleOrder = z.infer<typeof SampleOrder>;

/** A command for a POSIX shell that opens the order with a key. */
export function firstOrderCommand({ url, token, order }: { url: string; token: string; order: CreateOrder }): string {
  return [
    `curl -sS "${url}/external/v1/orders"`,
    `  -H "X-Api-Key: ${token}" -H "Content-Type: application/json"`,
    `  -d ${quotedForShell(JSON.stringify(order))}`,
  ].join(" \\\n");
}

/** A text as one word of a POSIX shell. */
export function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
