/** What a mutation does to a line. Only the terminal that added a line changes or moves it, so the order of other mutations does not matter. */
export interface LineEffect {
  lineId: string;
  orders: { from?: string; to: string };
  quantity?: number;
  /** It comes off the check. */
  isGone?: true;
}

export type LinesModel = ReturnType<typeof createLinesModel>;

/** The simplest possible hub: every line is where, and as many as, its maker last said, unless that was refused. */
export function createLinesModel() {
  const wishes = new Map<string, LineEffect[]>();
  return {
    /** A mutation with these effects was queued. */
    wish: (mutation: string, effects: LineEffect[]) => void wishes.set(mutation, effects),
    /** The application gave the mutation up. */
    giveUp: (mutation: string) => void wishes.delete(mutation),
    /** Line id to quantity of every order. */
    orders(): Map<string, Map<string, number>> {
      const lines = new Map<string, { order: string; quantity: number }>();
      for (const { lineId, orders, quantity, isGone } of [...wishes.values()].flat()) {
        const before = lines.get(lineId);
        if (isGone === true) {
          if (before?.order === orders.from) lines.delete(lineId);
          continue;
        }
        const isMove = orders.from !== undefined && orders.from !== orders.to;
        if (orders.from !== undefined && before?.order !== orders.from) continue;
        const said = isMove ? (before?.quantity ?? quantity) : (quantity ?? before?.quantity);
        lines.set(lineId, { order: orders.to, quantity: said ?? 0 });
      }
      const found = new Map<string, Map<string, number>>();
      for (const [lineId, { order, quantity }] of lines) {
        found.set(order, (found.get(order) ?? new Map<string, number>()).set(lineId, quantity));
      }
      return found;
    },
  };
}
