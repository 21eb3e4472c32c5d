import type { HubMessageOf } from "@comanda/protocol";

/** Returns the answer to a refused mutation. */
export async function refusal(change: Promise<unknown>): Promise<Partial<HubMessageOf<"ORDER_REJECTED">>> {
  return change.then(
    (answer) => {
      throw new Error(`it was accepted: ${JSON.stringify(answer)}`);
    },
    (error: Partial<HubMessageOf<"ORDER_REJECTED">>) => error,
  );
}
