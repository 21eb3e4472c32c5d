import type { Mutation } from "@comanda/terminal";

/** Waits for the hub's word on a mutation; throws what it was refused with. */
export async function carriedOut(mutation: Mutation): Promise<void> {
  const outcome = await mutation.outcome;
  if (outcome.state !== "refused") return;
  const { intent, refusal } = outcome.conflict;
  throw new Error(`${intent.type} was refused: ${refusal.errorCode}, ${refusal.error}`);
}
