import { chainSubjects } from "@comanda/protocol/chain.ts";

/** A restaurant that may connect, by the public nkey of its hub. */
export interface ChainUser {
  restaurantId: string;
  publicKey: string;
}

/**
 * The users of the account CHAIN, as a file that NATS's configuration includes: headquarters, which may do everything there,
 * and each restaurant, which may speak of itself alone. No wildcard below `$JS.API`: a restaurant reads its own last batch and
 * its own document, and neither sees nor changes a stream.
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
      // Answers to what headquarters ask of it.
      allow_responses: { max: 64, expires: "2m" },
    },
  };
}
