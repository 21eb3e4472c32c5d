import {
  type ChainLost,
  ChainLostQuestion,
  chainSubjects,
  ChainWho,
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

/** Answers hubs that ask how far headquarters are with them, and what they have lost. Returns what ends it. */
export function answerHubs(connection: NatsConnection, database: Database, { log }: World): () => void {
  const failures = createFailureLog(log, {
    fails: "hubs that ask headquarters get no answer",
    worksAgain: "hubs that ask headquarters get an answer again",
  });

  /** `answer`: null where nothing is to be said now. */
  function follow(
    subject: string,
    answer: (restaurant: string, question: unknown) => Promise<object | null>,
  ): () => void {
    const subscription = connection.subscribe(subject, {
      queue: "headquarters",
      callback(error, message) {
        const restaurant = error === null ? restaurantOf(message.subject) : null;
        if (restaurant === null) return;
        answer(restaurant, parseJson(message.data))
          .then((words) => {
            failures.worked();
            // Headquarters may have stopped meanwhile.
            if (words !== null && !connection.isClosed()) message.respond(JSON.stringify(words));
          })
          // Without an answer the hub asks again.
          .catch(failures.failed);
      },
    });
    return () => subscription.unsubscribe();
  }

  const ends = [
    follow(chainSubjects.allCursorQuestions, async (restaurant, question) => {
      const standing = await readStanding(database, restaurant);
      const who = ChainWho.safeParse(question);
      return who.success && who.data.hubId !== standing.hubId ? noCursor : cursorOf(standing);
    }),
    follow(chainSubjects.allLostQuestions, async (restaurant, question): Promise<ChainLost | null> => {
      const standing = await readStanding(database, restaurant);
      const asked = ChainLostQuestion.safeParse(question);
      // What it has lost is known when all that it has is here: an empty page would be the end of the list.
      const isKnown = asked.success && asked.data.hubId === standing.hubId && cursorOf(standing).isFullDone;
      return isKnown ? readLost(database, restaurant, asked.data.after) : null;
    }),
  ];
  return () => ends.forEach((end) => end());
}
