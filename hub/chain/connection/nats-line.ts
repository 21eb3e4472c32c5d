import type * as nats from "@nats-io/transport-node";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import {
  ChainCursor,
  chainHeaders,
  ChainSuperseded,
  CHAIN_VERSION,
  chainSubjects,
  readSentPlace,
  type ChainSender,
  type SentPlace,
} from "@comanda/protocol/chain.ts";
import type { z } from "zod";
import type { ChainLine, ChainListener } from "./chain-line.ts";

type Nats = typeof nats;

const ANSWER_MS = 5_000;
/** Time that an answer of the largest message size takes on the slowest line. */
export const LONG_ANSWER_MS = 70_000;
/** Slowest line supported: 128 kbit/s. */
const BYTES_PER_MS = 16;

/** JetStream's reply to a publish. */
interface Ack {
  error?: { err_code?: number; description?: string };
  seq?: number;
}

/** Connects a publisher to a restaurant's subjects on headquarters' NATS. */
export function createNatsLine(
  client: Nats,
  connection: NatsConnection,
  restaurant: string,
  isUp: () => boolean,
): ChainLine {
  const ask = (subject: string, body: string): Promise<Msg | null> => askAt(client, connection, subject, body);

  return {
    isUp,
    async askCursor(hub: ChainSender) {
      const answer = await ask(chainSubjects.askCursor(restaurant), JSON.stringify(hub));
      return answer === null ? null : readMessage(answer, ChainCursor);
    },
    async lastSent() {
      const answer = await ask(chainSubjects.lastBatch(restaurant), "");
      if (answer === null) throw new Error("the stream of headquarters does not answer");
      return sentPlaceOf(answer);
    },
    async publish(payload, place) {
      const headers = client.headers();
      headers.set(chainHeaders.version, String(CHAIN_VERSION));
      headers.set(chainHeaders.place, place);
      const timeout = ANSWER_MS + payload.byteLength / BYTES_PER_MS;
      const answer = await connection.request(chainSubjects.batches(restaurant), payload, { timeout, headers });
      const { error, seq } = answer.json<Ack>();
      if (error !== undefined)
        throw new Error(`the stream of headquarters refused it: ${error.description} (${error.err_code})`);
      if (typeof seq !== "number") throw new Error("the stream of headquarters gave no answer that can be read");
    },
  };
}

/** Sends a request. Returns null if there is no answer. */
export async function askAt(
  { NoRespondersError, TimeoutError, RequestError }: Nats,
  connection: NatsConnection,
  subject: string,
  body: string,
  timeout = ANSWER_MS,
): Promise<Msg | null> {
  try {
    return await connection.request(subject, body, { timeout });
  } catch (error) {
    const hasNoResponders = error instanceof RequestError && error.isNoResponders();
    if (hasNoResponders || error instanceof NoRespondersError || error instanceof TimeoutError) return null;
    throw error;
  }
}

function sentPlaceOf(answer: Msg): SentPlace | null {
  const place = answer.headers?.get(chainHeaders.place);
  return place === undefined ? null : readSentPlace(place);
}

/** Passes headquarters' messages to `listener`. Ignores messages that are not valid. */
export function followHeadquarters(connection: NatsConnection, restaurant: string, listener: ChainListener): void {
  const follow = <T>(subject: string, schema: z.ZodType<T>, take: (message: T) => void): void => {
    connection.subscribe(subject, {
      callback(error, message) {
        const content = error === null ? readMessage(message, schema) : null;
        if (content !== null) take(content);
      },
    });
  };
  follow(chainSubjects.cursor(restaurant), ChainCursor, listener.onCursor);
  follow(chainSubjects.resend(restaurant), ChainCursor, listener.onResend);
  follow(chainSubjects.superseded(restaurant), ChainSuperseded, listener.onSuperseded);
}

/** Returns null if the message is not JSON of that schema. */
export function readMessage<T>(message: Msg, schema: z.ZodType<T>): T | null {
  try {
    const read = schema.safeParse(message.json());
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
