/** The shares of a dish that people say; a check is split into at most twelve parts. */
const fractions = ["1/2", "1/3", "2/3", "1/4", "3/4", ...[5, 6, 7, 8, 9, 10, 11, 12].map((parts) => `1/${parts}`)];

/** A share is stored in thousandths, so it differs from its fraction by less than this (PRICE-82). */
const ROUNDED = 0.000_95;

/**
 * Writes a quantity for people: a share of a dish as the fraction that the guests agreed on (1/3, not 0.333), any other quantity
 * by `decimal`.
 */
export function quantityText(quantity: number, decimal: (value: number) => string): string {
  const whole = Math.floor(quantity);
  const fraction = fractions.find((each) => {
    const [part = 0, parts = 1] = each.split("/").map(Number);
    return Math.abs(quantity - whole - part / parts) < ROUNDED;
  });
  if (fraction === undefined || whole < 0) return decimal(quantity);
  return whole === 0 ? fraction : `${decimal(whole)} ${fraction}`;
}
