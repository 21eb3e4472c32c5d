import type { Mutation } from "@comanda/terminal";

/** Waits for the hub's answer to a mutation; throws if it was refused. */
export async function untilAcknowledged(mutation: Mutation): Promise<void> {
  const outcome = await mutation.outcome;
  if (outcome.state !== "refused") return;
  const { intent, refusal } = outcome.conflict;
  throw new Error(`${intent.type} was refused: ${refusal.errorCode}, ${refusal.error}`);
}
