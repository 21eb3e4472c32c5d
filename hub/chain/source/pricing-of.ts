import { type PosConfig, withoutControlCharacters } from "@comanda/protocol";
import type { ChainPricing } from "@comanda/protocol/chain.ts";

/** Returns what headquarters receive of a menu. They reject control characters, which the back-office may send. */
export function pricingOf({ taxes, rounding }: Pick<PosConfig, "taxes" | "rounding">): ChainPricing {
  const needed = taxes.map(({ id, name, rate, included, orderTypes }) => ({ id, name, rate, included, orderTypes }));
  return withoutControlCharacters({ taxes: needed, ...(rounding !== undefined && { rounding }) });
}
