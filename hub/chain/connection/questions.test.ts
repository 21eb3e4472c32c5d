import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { startChainHeadquarters } from "../../test/chain/chain-headquarters.ts";
import { until } from "../../test/support/until.ts";
import { createQuestions } from "./questions.ts";

it("leaving the chain before a question is answered causes no unhandled rejection [CHAIN-15]", async () => {
  const headquarters = await startChainHeadquarters();
  const { restaurantId, seed, url } = headquarters;
  const inboxPrefix = chainSubjects.inbox(restaurantId);
  const connection = await connect({ servers: url, authenticator: nkeyAuthenticator(seed), inboxPrefix });
  onTestFinished(() => connection.close());
  const answer = Promise.withResolvers<unknown>();
  let isReceived = false;
  let isRead = false;
  const slowly = (): Promise<unknown> => {
    isReceived = true;
    return answer.promise.finally(() => (isRead = true));
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  createQuestions({
    world: realWorld(pino({ level: "silent" })),
    answers: { overview: slowly, doctor: slowly, logs: slowly, check: slowly, history: slowly },
    allowsDiagnosis: true,
    note: async () => undefined,
  }).follow(connection, restaurantId);
  await connection.flush();
  headquarters.admin().publish(chainSubjects.question(restaurantId, "overview"), JSON.stringify({ by: "Carmen" }), {
    reply: "_INBOX.headquarters.1",
  });
  await until("the question is here", () => isReceived);
  await connection.close();
  answer.resolve({});
  await until("the answer is known", () => isRead);
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
