import { chainSubjects } from "@comanda/protocol/chain.ts";

/** A restaurant that may connect, by the public nkey of its hub. */
export interface ChainUser {
  restaurantId: string;
  publicKey: string;
}

/**
 * Returns the users of the account CHAIN as a file for NATS's configuration to include: headquarters with full access, and each
 * restaurant with its own subjects only. Restaurants have no wildcard below `$JS.API`: they can read their own last batch and
 * document, but neither see nor change a stream.
 */
export function usersDocument(headquartersKey: string, users: readonly ChainUser[]): string {
  const lines = users.map(({ restaurantId, publicKey }) => `  ${JSON.stringify(userOf(restaurantId, publicKey))}`);
  return `users: [\n${[`  ${JSON.stringify({ nkey: headquartersKey })}`, ...lines].join("\n")}\n]\n`;
}

function userOf(restaurant: string, nkey: string): object {
  return {
    nkey,
    permissions: {
      publish: [
        `up.${restaurant}.>`,
        chainSubjects.beat(restaurant),
        `ask.${restaurant}.>`,
        `$JS.API.DIRECT.GET.${chainSubjects.stream}.${chainSubjects.batches(restaurant)}`,
        `$JS.API.DIRECT.GET.KV_desired.$KV.desired.${restaurant}`,
      ],
      subscribe: [chainSubjects.down(restaurant), `${chainSubjects.inbox(restaurant)}.>`],
      // Answers to questions from headquarters.
      allow_responses: { max: 64, expires: "2m" },
    },
  };
}
