import { chainSubjects } from "@comanda/protocol/chain.ts";
import { DesiredState } from "@comanda/protocol/proposals.ts";
import type { Connected } from "./connect.ts";
import { askAt, readMessage } from "./nats-line.ts";

/** Calls `onPoke` when headquarters say that their document was changed. */
export function followDesiredState({ connection }: Connected, restaurant: string, onPoke: () => void): void {
  connection.subscribe(chainSubjects.poke(restaurant), { callback: (error) => void (error === null && onPoke()) });
}

/** What headquarters propose to a restaurant; null where they have no document for it, or nobody answers. */
export async function readDesiredState(
  { client, connection }: Connected,
  restaurant: string,
): Promise<DesiredState | null> {
  const answer = await askAt(client, connection, chainSubjects.desired(restaurant), "");
  // Without a document the bucket answers with a status alone.
  return answer === null || answer.data.byteLength === 0 ? null : readMessage(answer, DesiredState);
}
