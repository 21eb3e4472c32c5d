import {
  type ChainLost,
  ChainLostQuestion,
  chainSubjects,
  ChainSender,
  noCursor,
  restaurantOf,
} from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { parseJson } from "../parse-json.ts";
import type { World } from "../world.ts";
import { cursorOf } from "./announce.ts";
import { readStanding } from "./standings.ts";
import { readLost } from "./lost-checks.ts";

/** Answers hubs that ask for their cursor or for checks that they lost. Returns a function that stops it. */
export function answerHubs(connection: NatsConnection, database: Database, { log }: World): () => void {
  const failures = createFailureLog(log, {
    fails: "hubs that ask headquarters get no answer",
    worksAgain: "hubs that ask headquarters get an answer again",
  });

  /** Answers the questions of a subject. `answer` resolves with null to send nothing. */
  function answerQuestions(
    subject: string,
    answer: (restaurant: string, question: unknown) => Promise<object | null>,
  ): () => void {
    const subscription = connection.subscribe(subject, {
      queue: "headquarters",
      callback(error, message) {
        const restaurant = error === null ? restaurantOf(message.subject) : null;
        if (restaurant === null) return;
        answer(restaurant, parseJson(message.data))
          .then((reply) => {
            failures.worked();
            // Headquarters may have stopped meanwhile.
            if (reply !== null && !connection.isClosed()) message.respond(JSON.stringify(reply));
          })
          // Without an answer the hub asks again.
          .catch(failures.failed);
      },
    });
    return () => subscription.unsubscribe();
  }

  const unsubscribes = [
    answerQuestions(chainSubjects.allCursorQuestions, async (restaurant, question) => {
      const standing = await readStanding(database, restaurant);
      const sender = ChainSender.safeParse(question);
      return sender.success && sender.data.hubId !== standing.hubId ? noCursor : cursorOf(standing);
    }),
    answerQuestions(chainSubjects.allLostQuestions, async (restaurant, question): Promise<ChainLost | null> => {
      const standing = await readStanding(database, restaurant);
      const parsed = ChainLostQuestion.safeParse(question);
      // The lost checks are known only after a full transfer. An empty page before that would end the hub's list.
      const isReady = parsed.success && parsed.data.hubId === standing.hubId && cursorOf(standing).isFullDone;
      return isReady ? readLost(database, restaurant, parsed.data.after) : null;
    }),
  ];
  return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
}
