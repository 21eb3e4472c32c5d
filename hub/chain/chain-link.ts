import { type ChainBeat, type ChainQuestion, chainSubjects, type Enrolled } from "@comanda/protocol/chain.ts";
import type { DesiredState } from "@comanda/protocol/proposals.ts";
import { createStop } from "../platform/until-stopped.ts";
import { withComponent, type World } from "../platform/world.ts";
import { createPresence } from "./connection/beat.ts";
import type { ChainLine, ChainListener } from "./connection/chain-line.ts";
import type { ChainSource } from "./source/chain-source.ts";
import { createChainConnection, type ChainConnectionState, type Connected } from "./connection/connect.ts";
import { followDesiredState, readDesiredState } from "./connection/desired-state.ts";
import { createLostChecks, type LostCheckOffers } from "./connection/lost-checks.ts";
import { askAt, createNatsLine, followHeadquarters, LONG_ANSWER_MS } from "./connection/nats-line.ts";
import { createQuestions, type ChainAnswers } from "./connection/questions.ts";
import { createPublisher, type Publisher, type PublisherState } from "./publishing/publisher.ts";

export interface ChainLinkDeps {
  world: World;
  source: ChainSource;
  historyDays: number;
  kbps: number;
  /** The state that headquarters read continuously. */
  beat(): ChainBeat;
  answers: ChainAnswers;
  offers: LostCheckOffers;
  allowsDiagnosis: boolean;
  /** Records in the audit log which person in the chain asked which question. */
  noteQuestion(by: string, question: ChainQuestion, posReference: string | null): Promise<void>;
  /** Called when headquarters may have new proposals. */
  onProposals(): void;
  /** Called when a state that the screens show has changed. */
  onState(): void;
}

export type ChainLink = ReturnType<typeof createChainLink>;

/** Runs everything between an enrolled hub and its headquarters. `stop` is final. */
export function createChainLink(deps: ChainLinkDeps, enrolled: Enrolled, seed: Uint8Array) {
  const { restaurantId } = enrolled;
  const world = withComponent(deps.world, "chain");
  const { orStop, isStopped, stop } = createStop();
  let connected: Connected | null = null;
  let line: ChainLine | null = null;

  const publisher: Publisher = createPublisher({
    world,
    source: deps.source,
    line: {
      isUp: () => line?.isUp() ?? false,
      askCursor: (hub) => reachable().askCursor(hub),
      lastSent: () => reachable().lastSent(),
      publish: (payload, place) => reachable().publish(payload, place),
    },
    restaurantId,
    historyDays: deps.historyDays,
    kbps: deps.kbps,
    onState: deps.onState,
  });

  let sendBeat: (beat: string) => void = () => undefined;
  const presence = createPresence({
    world,
    read: deps.beat,
    isUp: () => connection.isUp(),
    send: (beat) => sendBeat(beat),
  });
  const questions = createQuestions({
    world,
    answers: deps.answers,
    allowsDiagnosis: deps.allowsDiagnosis,
    note: (by, question, posReference) => deps.noteQuestion(`${by} (${enrolled.chainName})`, question, posReference),
  });

  const lost = createLostChecks({
    world,
    identity: deps.source.identity,
    offers: deps.offers,
    async ask(question) {
      if (connected === null) return null;
      const { client, connection: made } = connected;
      const subject = chainSubjects.askLost(restaurantId);
      return (await askAt(client, made, subject, JSON.stringify(question), LONG_ANSWER_MS))?.json();
    },
  });
  const listener: ChainListener = {
    ...publisher.listener,
    onUp() {
      publisher.listener.onUp();
      lost.onUp();
    },
    onCursor(cursor) {
      publisher.listener.onCursor(cursor);
      lost.onCursor(cursor);
    },
  };

  function reachable(): ChainLine {
    if (line === null) throw new Error("headquarters are not connected");
    return line;
  }

  const connection = createChainConnection({
    world,
    enrolled,
    seed,
    onConnected(made) {
      connected = made;
      line = createNatsLine(made.client, made.connection, restaurantId, connection.isUp);
      followHeadquarters(made.connection, restaurantId, listener);
      followDesiredState(made, restaurantId, deps.onProposals);
      questions.follow(made.connection, restaurantId);
      sendBeat = (beat) => made.connection.publish(chainSubjects.beat(restaurantId), beat);
    },
    onUp() {
      listener.onUp();
      presence.onUp();
      deps.onProposals();
    },
    onState: deps.onState,
  });

  return {
    start(): void {
      publisher.start();
      connection.start();
    },
    /** Notifies the publisher and the beat of a change. */
    wake(): void {
      publisher.wake();
      presence.wake();
    },
    /** Returns what headquarters propose, or null if they cannot be reached or the link is stopped. */
    async desired(): Promise<DesiredState | null> {
      if (connected === null || !connection.isUp()) return null;
      try {
        return await orStop(readDesiredState(connected, restaurantId));
      } catch (error) {
        if (isStopped()) return null;
        throw error;
      }
    },
    state: (): { connection: ChainConnectionState; publisher: PublisherState } => ({
      connection: connection.state(),
      publisher: publisher.state(),
    }),
    async stop(): Promise<void> {
      stop();
      presence.stop();
      await publisher.stop();
      await connection.stop();
    },
  };
}
