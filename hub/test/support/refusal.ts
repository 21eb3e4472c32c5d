import type { HubMessageOf } from "@comanda/protocol";

/** What a refused mutation was answered with. */
export async function refusal(change: Promise<unknown>): Promise<Partial<HubMessageOf<"ORDER_REJECTED">>> {
  return change.then(
    (answer) => {
      throw new Error(`it was taken: ${JSON.stringify(answer)}`);
    },
    (error: Partial<HubMessageOf<"ORDER_REJECTED">>) => error,
  );
}
