import { type PosConfig, withoutControlCharacters } from "@comanda/protocol";
import type { ChainPricing } from "@comanda/protocol/chain.ts";

/** What headquarters get of a menu. They refuse a batch with control characters, and the back-office may send some. */
export function pricingOf({ taxes, rounding }: Pick<PosConfig, "taxes" | "rounding">): ChainPricing {
  const needed = taxes.map(({ id, name, rate, included, orderTypes }) => ({ id, name, rate, included, orderTypes }));
  return withoutControlCharacters({ taxes: needed, ...(rounding !== undefined && { rounding }) });
}
