import { OfferedOrder, OrderRemoval, type StoredOrder } from "@comanda/protocol";
import { type ChainCursor, ChainLost, type ChainLostQuestion } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";
import type { ChainIdentity } from "../source/chain-source.ts";

/** Delay before asking again when not all checks were received or kept. */
const AGAIN_MS = 300_000;

/** What managers of this hub are asked to decide. */
export interface LostCheckOffers {
  /** Whether checks may be missing here. */
  areAccepted(): boolean;
  /** Keeps the missing ones among the checks that the hub `hubId` had. Returns false if there was no room for some. */
  keep(hubId: string, checks: readonly (StoredOrder | OrderRemoval)[]): Promise<boolean>;
}

/**
 * Asks headquarters which lost checks they know, once per connection, after they have everything that the hub still has. Offers
 * those checks to the managers, who decide.
 */
export function createLostChecks(deps: {
  world: World;
  identity(): ChainIdentity;
  offers: LostCheckOffers;
  /** Resolves to null if headquarters do not answer. */
  ask(question: ChainLostQuestion): Promise<unknown>;
}) {
  const { world, offers } = deps;
  let dueAt = 0;

  async function offerAll(hub: Pick<ChainIdentity, "hubId" | "generation" | "epoch">): Promise<boolean> {
    let isComplete = true;
    for (let after: number | null = 0; after !== null;) {
      const page: ChainLost | undefined = ChainLost.safeParse(await deps.ask({ ...hub, after })).data;
      if (page === undefined) return false;
      for (const [hubId, checks] of byHub(page)) isComplete = (await offers.keep(hubId, checks)) && isComplete;
      after = page.next;
    }
    return isComplete;
  }

  return {
    /** Called when the connection is new. */
    onUp: (): void => void (dueAt = 0),
    onCursor({ generation, isFullDone }: ChainCursor): void {
      const now = world.clock.monotonic();
      if (!isFullDone || now < dueAt || !offers.areAccepted()) return;
      const { hubId, epoch, generation: own } = deps.identity();
      if (generation !== own) return;
      dueAt = Infinity;
      offerAll({ hubId, generation, epoch }).then(
        (isDone) => void (isDone || (dueAt = Math.min(dueAt, now + AGAIN_MS))),
        (error: unknown) => {
          dueAt = Math.min(dueAt, now + AGAIN_MS);
          world.log.warn({ err: error }, "what headquarters know of lost checks could not be kept; it is asked again");
        },
      );
    },
  };
}

/** Skips checks that cannot be read: the others are still worth having. */
function byHub({ checks }: ChainLost): Map<string, (StoredOrder | OrderRemoval)[]> {
  const found = new Map<string, (StoredOrder | OrderRemoval)[]>();
  for (const { hubId, check } of checks) {
    const read = OfferedOrder.or(OrderRemoval).safeParse(check);
    if (read.success) found.set(hubId, [...(found.get(hubId) ?? []), read.data]);
  }
  return found;
}
