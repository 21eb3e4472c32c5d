import { maxLookupReferences } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeAnswers } from "./back-office-answers.ts";
import type { QuestionStore } from "./question-store.ts";

const EVERY_MS = 60_000;

/** Looks up orders at the back-office that are open, or waiting to be forwarded, in a restored file. */
export function createBackOfficeQuestions(deps: {
  world: World;
  changes: ChangeLog;
  questions: QuestionStore;
  client: BackOfficeClient;
  own: OwnSession;
  answers: BackOfficeAnswers;
}) {
  const { world, changes, questions, client, own, answers } = deps;
  let isSupported = true;

  async function askAll(): Promise<void> {
    while (own.hasCredentials && isSupported) {
      const batch = questions.listUnanswered(maxLookupReferences);
      if (batch.length === 0) return;
      const references = batch.map((question) => question.posReference);
      const answer = await own
        .use((token) => client.lookup(token, references))
        .catch((error: unknown) => {
          // The questions stay, and the next run retries them.
          if (error instanceof BackOfficeError) return undefined;
          throw error;
        });
      if (answer === undefined) return;
      if (answer === null) {
        isSupported = false;
        world.log.warn({ orders: questions.countUnanswered() }, "the back-office has no way to look orders up");
        return;
      }
      const found = new Map(answer.map((order) => [order.posReference, order]));
      await changes.write((tx) => {
        for (const posReference of references) answers.take(tx, posReference, found.get(posReference));
        tx.notify(["losses"]);
      });
    }
  }

  return createLoop(world, "questions after a restore", EVERY_MS, askAll);
}
