import type { Terminal } from "@comanda/terminal";
import type { Stage } from "./stage.ts";

/**
 * The kitchen's screen: shows every ticket that comes in, cooks it, and bumps its lines. An order is served when the
 * kitchen has this version of it and all its lines are ready.
 */
export function openKitchen(
  terminal: Terminal,
  stage: Stage,
): { served: (posReference: string, version: number) => boolean } {
  const shown = new Set<string>();
  const cooking = new Set<string>();
  terminal.on("orders", (orders) => {
    for (const posReference of orders) handleTickets(posReference);
  });
  return {
    served(posReference, version) {
      const order = terminal.order(posReference);
      // What the hub does not have yet is not served: the check could be closed before.
      if (order === undefined || order.pending > 0 || order.version < version) return false;
      return order.snapshot.lines.every(
        (line) => line.voided === true || (line.preparedQuantity ?? 0) >= line.quantity,
      );
    },
  };

  function handleTickets(posReference: string): void {
    const order = terminal.order(posReference);
    if (order === undefined || !["sent", "changed", "open"].includes(order.snapshot.status)) return;
    for (const ticket of order.snapshot.kitchenTickets ?? []) {
      if (shown.has(ticket.id)) continue;
      shown.add(ticket.id);
      terminal.kitchenSeen(ticket.id, "hot kitchen");
      stage.say("kitchen", `shows a ticket of ${posReference}: ${ticket.lines.length} line(s)`);
    }
    for (const line of order.snapshot.lines) {
      const sent = line.sentQuantity ?? 0;
      const dish = `${posReference} ${line.id} ${sent}`;
      if (sent <= (line.preparedQuantity ?? 0) || line.voided === true || cooking.has(dish)) continue;
      cooking.add(dish);
      void cook(posReference, line.id, sent, dish);
    }
  }

  async function cook(posReference: string, lineId: string, sent: number, dish: string): Promise<void> {
    await stage.pause(2);
    const order = terminal.order(posReference);
    const isThere = order?.snapshot.lines.some((line) => line.id === lineId) ?? false;
    // The line may have moved to another check meanwhile: its ticket is handled there.
    if (isThere) await terminal.bump(posReference, lineId, sent, "ready").outcome;
    cooking.delete(dish);
    handleTickets(posReference);
  }
}
