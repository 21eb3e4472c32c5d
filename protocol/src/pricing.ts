/**
 * Prices: the only place that knows what a line and an order cost, for terminals, the hub and the back-office stand-in. It
 * needs no schema library and nothing of Node. Amounts come and go as decimal numbers of the currency; inside they are exact
 * and become whole cents where the rules round.
 */
export * from "./pricing/price-line.ts";
export * from "./pricing/price-order.ts";
export * from "./pricing/split.ts";
export * from "./pricing/sum-of-lines.ts";
export { fromCents, toCents } from "./pricing/exact.ts";
