import type { Enrolled } from "@comanda/protocol/chain.ts";
import { withComponent, type World } from "../platform/world.ts";
import type { ChainLine, ChainListener } from "./chain-line.ts";
import type { ChainSource } from "./chain-source.ts";
import { createChainConnection, type ChainConnectionState } from "./connect.ts";
import { createNatsLine, followHeadquarters } from "./nats-line.ts";
import { createPublisher, type Publisher, type PublisherState } from "./publisher.ts";

export interface ChainLinkDeps {
  world: World;
  source: ChainSource;
  historyDays: number;
  kbps: number;
  /** Something of the state changed that people see. */
  onState(): void;
}

export type ChainLink = ReturnType<typeof createChainLink>;

/** Everything that runs between an enrolled hub and its headquarters, until it is stopped for good. */
export function createChainLink(deps: ChainLinkDeps, enrolled: Enrolled, seed: Uint8Array) {
  const { restaurantId } = enrolled;
  const world = withComponent(deps.world, "chain");
  let line: ChainLine | null = null;

  const publisher: Publisher = createPublisher({
    world,
    source: deps.source,
    line: {
      isUp: () => line?.isUp() ?? false,
      askCursor: (who) => reachable().askCursor(who),
      lastSent: () => reachable().lastSent(),
      publish: (payload, place) => reachable().publish(payload, place),
    },
    restaurantId,
    historyDays: deps.historyDays,
    kbps: deps.kbps,
    onState: deps.onState,
  });

  function reachable(): ChainLine {
    if (line === null) throw new Error("headquarters are not connected");
    return line;
  }

  const connection = createChainConnection({
    world,
    enrolled,
    seed,
    onConnected({ client, connection: made }) {
      line = createNatsLine(client, made, restaurantId, connection.isUp);
      followHeadquarters(made, restaurantId, publisher.listener satisfies ChainListener);
    },
    onUp: publisher.listener.onUp,
    onState: deps.onState,
  });

  return {
    start(): void {
      publisher.start();
      connection.start();
    },
    /** Something changed. */
    wake: publisher.wake,
    state: (): { connection: ChainConnectionState; publisher: PublisherState } => ({
      connection: connection.state(),
      publisher: publisher.state(),
    }),
    async stop(): Promise<void> {
      await publisher.stop();
      await connection.stop();
    },
  };
}
