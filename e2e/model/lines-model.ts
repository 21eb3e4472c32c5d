/** The effect of a mutation on a line. Only a line's own terminal changes it, so the terminals' order does not matter. */
export interface LineEffect {
  lineId: string;
  orders: { from?: string; to: string };
  quantity?: number;
  /** Set if the line leaves the check. */
  isRemoved?: true;
}

export type LinesModel = ReturnType<typeof createLinesModel>;

/** Creates the simplest possible hub: a line has the check and quantity that its terminal last set, refused changes aside. */
export function createLinesModel() {
  const expectations = new Map<string, LineEffect[]>();
  return {
    /** Records the effects of a queued mutation. */
    expect: (mutation: string, effects: LineEffect[]) => void expectations.set(mutation, effects),
    /** Forgets a mutation that the application has discarded. */
    giveUp: (mutation: string) => void expectations.delete(mutation),
    /** Returns each order's quantities by line id. */
    orders(): Map<string, Map<string, number>> {
      const lines = new Map<string, { order: string; quantity: number }>();
      for (const { lineId, orders, quantity, isRemoved } of [...expectations.values()].flat()) {
        const before = lines.get(lineId);
        if (isRemoved === true) {
          if (before?.order === orders.from) lines.delete(lineId);
          continue;
        }
        const isMove = orders.from !== undefined && orders.from !== orders.to;
        if (orders.from !== undefined && before?.order !== orders.from) continue;
        const newQuantity = isMove ? (before?.quantity ?? quantity) : (quantity ?? before?.quantity);
        lines.set(lineId, { order: orders.to, quantity: newQuantity ?? 0 });
      }
      const found = new Map<string, Map<string, number>>();
      for (const [lineId, { order, quantity }] of lines) {
        found.set(order, (found.get(order) ?? new Map<string, number>()).set(lineId, quantity));
      }
      return found;
    },
  };
}
