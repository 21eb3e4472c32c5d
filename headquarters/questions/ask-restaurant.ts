import { ChainAnswer, type ChainQuestion, type ChainQuestionBody, chainSubjects } from "@comanda/protocol/chain.ts";
import { NoRespondersError, RequestError, TimeoutError, type NatsConnection } from "@nats-io/transport-node";
import type { z } from "zod";
import { parseJson } from "../parse-json.ts";
import { Refusal } from "../refusal.ts";

const ANSWER_MS = 5_000;
/** Of a check there is a copy here. */
const CHECK_MS = 2_000;

/**
 * Asks a restaurant's hub, in somebody's name, which stands in its audit log. Throws UNREACHABLE where it says nothing that can
 * be read, and REFUSED_BY_RESTAURANT.
 */
export type AskRestaurant = <T extends z.ZodType>(
  restaurant: string,
  what: ChainQuestion,
  body: ChainQuestionBody,
  answer: T,
) => Promise<z.output<T>>;

export function askingOver(connection: Pick<NatsConnection, "request">): AskRestaurant {
  return async (restaurant, what, body, schema) => {
    const message = await connection
      .request(chainSubjects.question(restaurant, what), JSON.stringify(body), {
        timeout: what === "check" ? CHECK_MS : ANSWER_MS,
      })
      .catch((error: unknown) => {
        const isSilent =
          error instanceof NoRespondersError || error instanceof TimeoutError || error instanceof RequestError;
        if (isSilent) throw new Refusal("UNREACHABLE", "the restaurant's hub does not answer");
        throw error;
      });
    const answer = ChainAnswer.safeParse(parseJson(message.data)).data;
    if (answer?.ok === false) throw new Refusal("REFUSED_BY_RESTAURANT", `${answer.code}: ${answer.error}`);
    const parsed = answer && schema.safeParse(answer.body);
    if (parsed?.success !== true) throw new Refusal("UNREACHABLE", "the restaurant's hub says what nobody can read");
    return parsed.data;
  };
}
