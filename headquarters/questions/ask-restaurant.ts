import { ChainAnswer, type ChainQuestion, type ChainQuestionBody, chainSubjects } from "@comanda/protocol/chain.ts";
import { NoRespondersError, RequestError, TimeoutError, type NatsConnection } from "@nats-io/transport-node";
import type { z } from "zod";
import { parseJson } from "../parse-json.ts";
import { Refusal } from "../refusal.ts";

const ANSWER_MS = 5_000;
/** Shorter for a check, because headquarters have a copy. */
const CHECK_MS = 2_000;

/**
 * Asks a restaurant's hub in the name of a person, whom the hub records in its audit log. Throws UNREACHABLE without a readable
 * answer, and REFUSED_BY_RESTAURANT.
 */
export type AskRestaurant = <T extends z.ZodType>(
  restaurant: string,
  question: ChainQuestion,
  body: ChainQuestionBody,
  answer: T,
) => Promise<z.output<T>>;

export function createAskRestaurant(connection: Pick<NatsConnection, "request">): AskRestaurant {
  return async (restaurant, question, body, schema) => {
    const message = await connection
      .request(chainSubjects.question(restaurant, question), JSON.stringify(body), {
        timeout: question === "check" ? CHECK_MS : ANSWER_MS,
      })
      .catch((error: unknown) => {
        const isUnanswered =
          error instanceof NoRespondersError || error instanceof TimeoutError || error instanceof RequestError;
        if (isUnanswered) throw new Refusal("UNREACHABLE", "the restaurant's hub does not answer");
        throw error;
      });
    const answer = ChainAnswer.safeParse(parseJson(message.data)).data;
    if (answer?.ok === false) throw new Refusal("REFUSED_BY_RESTAURANT", `${answer.code}: ${answer.error}`);
    const parsed = answer && schema.safeParse(answer.body);
    if (parsed?.success !== true) throw new Refusal("UNREACHABLE", "the restaurant's hub says what nobody can read");
    return parsed.data;
  };
}
