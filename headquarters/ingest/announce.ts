import { type ChainCursor, chainSubjects } from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Outcome } from "./apply-messages.ts";
import type { Standing } from "./judge.ts";

/**
 * While a full transfer is under way, also another one than the first, a hub that starts anew has to begin it again; and where
 * another one is wanted it has to begin that, whether it has heard the word of it or not.
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

/** Tells restaurants how far they are here, from where they are to send again, and who was replaced. */
export function announce(
  connection: NatsConnection,
  { standings, resend, superseded }: Pick<Outcome, "standings" | "resend" | "superseded">,
): void {
  // What is said while the line is down would come late and be wrong: the next word is soon enough.
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
