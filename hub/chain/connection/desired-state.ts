import { chainSubjects } from "@comanda/protocol/chain.ts";
import { DesiredState } from "@comanda/protocol/proposals.ts";
import type { Connected } from "./connect.ts";
import { askAt, readMessage } from "./nats-line.ts";

/** Calls `onPoke` when headquarters announce a change of their document. */
export function followDesiredState({ connection }: Connected, restaurant: string, onPoke: () => void): void {
  connection.subscribe(chainSubjects.poke(restaurant), { callback: (error) => void (error === null && onPoke()) });
}

/** Reads headquarters' proposals for a restaurant. Returns null if they have no document for it or do not answer. */
export async function readDesiredState(
  { client, connection }: Connected,
  restaurant: string,
): Promise<DesiredState | null> {
  const answer = await askAt(client, connection, chainSubjects.desired(restaurant), "");
  // Without a document, the bucket answers with a status and an empty body.
  return answer === null || answer.data.byteLength === 0 ? null : readMessage(answer, DesiredState);
}
