import { type ChainCursor, chainSubjects, ChainWho, noCursor, restaurantOf } from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { parseJson } from "../parse-json.ts";
import type { World } from "../world.ts";
import type { Outcome } from "./apply-messages.ts";
import type { Standing } from "./judge.ts";
import { readStanding } from "./standings.ts";

/**
 * While a full transfer is under way, also another one than the first, a hub that starts anew has to begin it again; and where
 * another one is wanted it has to begin that, whether it has heard the word of it or not.
 */
function cursorOf({ generation, epoch, seq, factId, isFullDone, transfer, isFullWanted }: Standing): ChainCursor {
  return { generation, epoch, seq, factId, isFullDone: isFullDone && transfer === null && !isFullWanted };
}

/** Tells restaurants how far they are here, from where they are to send again, and who was replaced. */
export function announce(
  connection: NatsConnection,
  { standings, resend, superseded }: Pick<Outcome, "standings" | "resend" | "superseded">,
): void {
  // What is said while the line is down would come late and be wrong: the next word is soon enough.
  if (connection.isClosed()) return;
  for (const [restaurant, standing] of standings) {
    const cursor = cursorOf(standing);
    connection.publish(chainSubjects.cursor(restaurant), JSON.stringify(cursor));
    if (resend.has(restaurant)) connection.publish(chainSubjects.resend(restaurant), JSON.stringify(cursor));
  }
  for (const restaurant of superseded) {
    const generation = standings.get(restaurant)?.generation ?? 0;
    connection.publish(chainSubjects.superseded(restaurant), JSON.stringify({ generation }));
  }
}

/** Answers hubs that ask how far headquarters are with them. Returns what ends it. */
export function answerCursorQuestions(connection: NatsConnection, database: Database, { log }: World): () => void {
  const failures = createFailureLog(log, {
    fails: "hubs that ask how far headquarters are get no answer",
    worksAgain: "hubs that ask how far headquarters are get an answer again",
  });
  const subscription = connection.subscribe(chainSubjects.allCursorQuestions, {
    queue: "headquarters",
    callback(error, message) {
      if (error !== null) return;
      const restaurant = restaurantOf(message.subject);
      if (restaurant === null) return;
      readStanding(database, restaurant).then(
        (standing) => {
          failures.worked();
          const who = ChainWho.safeParse(parseJson(message.data));
          const isOther = who.success && who.data.hubId !== standing.hubId;
          // Headquarters may have stopped meanwhile.
          if (!connection.isClosed()) message.respond(JSON.stringify(isOther ? noCursor : cursorOf(standing)));
        },
        // Without an answer the hub asks again.
        failures.failed,
      );
    },
  });
  return () => subscription.unsubscribe();
}
