/** Shares of a dish in up to twelve parts, the most that a check is split into, that no decimal states exactly. */
const shares = ["1/3", "2/3", "1/6", "1/7", "1/9", "1/11", "1/12"];

/**
 * Writes a quantity for people: a third of a dish as the fraction that the guests agreed on (1/3, not 0.333), any other quantity
 * by `decimal`, also a half (0.5), because it may as well have been weighed.
 */
export function quantityText(quantity: number, decimal: (value: number) => string): string {
  const whole = Math.floor(quantity);
  const share = shares.find((each) => {
    const [part = 0, parts = 1] = each.split("/").map(Number);
    // Stored in thousandths, a share differs from its fraction by less than one (PRICE-82).
    return Math.abs(quantity - whole - part / parts) < 0.000_95;
  });
  if (share === undefined || whole < 0) return decimal(quantity);
  return whole > 0 ? `${decimal(whole)} ${share}` : share;
}
