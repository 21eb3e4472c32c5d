import { type ChainCursor, chainSubjects } from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Outcome } from "./apply-messages.ts";
import type { Standing } from "./assess-batch.ts";

/**
 * Returns the cursor to send to a hub. `isFullDone` is false while any full transfer is under way or wanted: a hub that
 * restarted, or missed the request for it, then begins the transfer.
 */
export function cursorOf({
  generation,
  epoch,
  seq,
  factId,
  isFullDone,
  transfer,
  isFullWanted,
  differing,
}: Standing): ChainCursor {
  const isWhole = isFullDone && transfer === null && !isFullWanted;
  return { generation, epoch, seq, factId, isFullDone: isWhole, ...(differing.length > 0 && { differing }) };
}

/** Publishes cursors, requests to send again, and notices to hubs that were superseded. */
export function announce(
  connection: NatsConnection,
  { standings, resend, superseded }: Pick<Outcome, "standings" | "resend" | "superseded">,
): void {
  // Hubs get a newer cursor after the next start.
  if (connection.isClosed()) return;
  for (const [restaurant, standing] of standings) {
    const cursor = cursorOf(standing);
    connection.publish(chainSubjects.cursor(restaurant), JSON.stringify(cursor));
    if (resend.has(restaurant)) connection.publish(chainSubjects.resend(restaurant), JSON.stringify(cursor));
  }
  for (const [restaurant, generation] of superseded) {
    connection.publish(chainSubjects.superseded(restaurant), JSON.stringify({ generation }));
  }
}
