import type { Msg, NatsConnection } from "@nats-io/transport-node";
import {
  type ChainAnswer,
  type ChainQuestion,
  ChainQuestionBody,
  chainQuestions,
  chainSubjects,
} from "@comanda/protocol/chain.ts";
import { createRateLimiter } from "../../platform/rate-limiter.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { readMessage } from "./nats-line.ts";

/** NATS itself accepts at most 1 MiB. */
const MAX_BYTES = 900 * 1024;
/** More than people ask. Each question costs the hub some work. */
const QUESTIONS_PER_MINUTE = 60;

/** Handlers by question. Questions about a check receive its reference. */
export type ChainAnswers = Readonly<Record<ChainQuestion, (posReference: string) => unknown>>;

/** Answers headquarters' questions and records in the audit log who asked. Questions are read-only. */
export function createQuestions(deps: {
  world: World;
  answers: ChainAnswers;
  /** If false, every question but the overview is refused. */
  allowsDiagnosis: boolean;
  /** Writes to the audit log before the answer is sent. */
  note(by: string, question: ChainQuestion, posReference: string | null): Promise<void>;
}) {
  const { world } = deps;
  const limiter = createRateLimiter(QUESTIONS_PER_MINUTE, world.clock.monotonic);

  async function answer(question: ChainQuestion, message: Msg): Promise<ChainAnswer> {
    const body = readMessage(message, ChainQuestionBody);
    if (body === null) return refusal("VALIDATION_ERROR", "by: who asks has to be named");
    if (question !== "overview" && !deps.allowsDiagnosis) {
      return refusal("FORBIDDEN", "the restaurant does not let headquarters read its diagnosis");
    }
    const isOfCheck = question === "check" || question === "history";
    if (isOfCheck && body.posReference === undefined) return refusal("VALIDATION_ERROR", "posReference: is missing");
    if (!limiter.admits("headquarters")) return refusal("RATE_LIMITED", "too many questions: ask again in a minute");
    await deps.note(body.by, question, isOfCheck ? (body.posReference ?? null) : null);
    return { ok: true, body: await deps.answers[question](body.posReference ?? "") };
  }

  async function respond(question: ChainQuestion, message: Msg, connection: NatsConnection): Promise<void> {
    let text: string;
    try {
      text = JSON.stringify(await answer(question, message));
      if (Buffer.byteLength(text) > MAX_BYTES) {
        text = JSON.stringify(refusal("PAYLOAD_TOO_LARGE", "the answer is larger than a message"));
      }
    } catch (error) {
      if (!(error instanceof HubError))
        world.log.error({ err: error, what: question }, "a question of headquarters has no answer");
      const isRefused = error instanceof HubError;
      text = JSON.stringify(
        refusal(isRefused ? error.code : "INTERNAL_ERROR", isRefused ? error.message : "internal error"),
      );
    }
    // The hub may have left the chain in the meantime.
    if (!connection.isClosed()) message.respond(text);
  }

  return {
    follow(connection: NatsConnection, restaurant: string): void {
      for (const question of chainQuestions) {
        connection.subscribe(chainSubjects.question(restaurant, question), {
          callback: (error, message) => void (error === null && respond(question, message, connection)),
        });
      }
    },
  };
}

function refusal(code: string, error: string): ChainAnswer {
  return { ok: false, code, error };
}
