import type { Snapshot } from "@comanda/protocol";
import { cancelledQuantityOf, subtract } from "@comanda/rules";

/** Whether a line of `check` was sent, prepared or served further than in `earlier`, another state of the same check. */
export function hasMoreKitchenWork(check: Pick<Snapshot, "lines">, earlier: Pick<Snapshot, "lines">): boolean {
  const earlierLines = new Map(earlier.lines.map((line) => [line.id, line]));
  return check.lines.some((line) => {
    const before = earlierLines.get(line.id);
    if (before === undefined) return false;
    return (
      (line.sentQuantity ?? 0) > (before.sentQuantity ?? 0) ||
      (line.preparedQuantity ?? 0) > (before.preparedQuantity ?? 0) ||
      (line.kitchenItemStatus === "served" && before.kitchenItemStatus !== "served")
    );
  });
}

/** Whether the kitchen still has to prepare something for a check. */
export function hasOpenKitchenWork({ lines }: Pick<Snapshot, "lines">): boolean {
  return lines.some(
    (line) => subtract(line.sentQuantity ?? 0, cancelledQuantityOf(line)) > (line.preparedQuantity ?? 0),
  );
}
