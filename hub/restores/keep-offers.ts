import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import { roomFor } from "./offer-room.ts";
import {
  createOfferedOrders,
  type OfferDeps,
  type Offered,
  type Outcome,
  RECENT_MS,
  type Source,
  type Sources,
} from "./offered-orders.ts";

/** Number of orders per write. */
const SLICE = 20;

/** The result of an offer. */
export interface OfferResult {
  taken: number;
  /** Orders that do not fit until a manager has decided on others. */
  waiting?: string[];
  /** Why orders that the hub lacks were not taken. */
  error?: string;
}

/** A former history that an offer comes from. */
export interface FormerHistory {
  /** Undefined for this hub. */
  hubId?: string | undefined;
  /** Null if the offer contains what the hub itself had sent to the source. */
  epoch: string | null;
}

export type Offers = ReturnType<typeof createOffers>;

/**
 * Stores orders that this hub lacks as losses for a manager to decide on. Terminals or headquarters offer them from before
 * history forked, or from a hub that this one replaces. Keeps the highest version of an order, with all of its sources.
 */
export function createOffers(
  deps: OfferDeps & { changes: ChangeLog; hubId: string; isFormerEpoch: (epoch: string) => boolean },
) {
  const { world, changes, orders, numbering, losses, hubId, isFormerEpoch } = deps;
  const storeOffer = createOfferedOrders({ world, orders, numbering, losses });

  /** Whether the hub may lack orders that terminals have: a backup was recently restored, or the end of the file was lost. */
  function isLossOpen(now: number): boolean {
    const [last] = losses.listRestores(1);
    return last !== undefined && now - last.at < RECENT_MS;
  }

  /** Whether this hub may replace another: its own history is short, or it was recently restored. */
  function mayReplaceAnother(now: number): boolean {
    const firstAt = orders.firstAt();
    return firstAt === null || now - firstAt < RECENT_MS || isLossOpen(now);
  }

  /** Returns why offers from this history are refused; null if they are accepted. */
  function refusalOf(former: FormerHistory, now: number): keyof typeof messages | null {
    if (isForeign(former)) return mayReplaceAnother(now) ? null : "has_its_own";
    if (!isLossOpen(now)) return "nothing_lost";
    return former.epoch === null || isFormerEpoch(former.epoch) ? null : "other_history";
  }

  function isForeign(former: FormerHistory): boolean {
    return former.hubId !== undefined && former.hubId !== hubId;
  }

  function storeSlice(tx: Tx, sources: Sources, offered: readonly Offered[]): Outcome[] {
    const room = roomFor(losses, sources[0]);
    const outcomes = offered.map((order) => storeOffer(tx, sources, order, room));
    if (outcomes.includes("taken")) tx.notify(["losses"]);
    return outcomes;
  }

  return {
    /** Whether offers are wanted from this hub's own history (`own`), and from other hubs' (`others`). */
    areAccepted(): { own: boolean; others: boolean } {
      const now = world.clock.now();
      return { own: isLossOpen(now), others: mayReplaceAnother(now) };
    },

    async keep(source: Source, former: FormerHistory, offered: readonly Offered[]): Promise<OfferResult> {
      const refusal = await changes.read(() => refusalOf(former, world.clock.now()));
      if (refusal !== null) return { taken: 0, error: messages[refusal] };
      const about = isForeign(former) ? [`former_hub:${former.hubId}`] : [];
      const sources: Sources = [source, ...about];
      const outcomes: Outcome[] = [];
      // In slices, so that a payment does not have to wait for a long list of offers.
      while (outcomes.length < offered.length) {
        const slice = offered.slice(outcomes.length, outcomes.length + SLICE);
        outcomes.push(...(await changes.write((tx) => storeSlice(tx, sources, slice))));
      }
      const taken = outcomes.filter((outcome) => outcome === "taken").length;
      const waiting = offered.filter((_, at) => outcomes[at] === "no_room").map(({ posReference }) => posReference);
      const problem = waiting.length > 0 ? "no_room" : outcomes.includes("never_given") ? "never_given" : null;
      if (taken > 0) {
        world.log.warn({ source, orders: taken }, "somebody knows orders that this hub has lost, or another had");
      }
      return { taken, ...(waiting.length > 0 && { waiting }), ...(problem !== null && { error: messages[problem] }) };
    },
  };
}

const messages = {
  nothing_lost: "this hub has lost nothing in the last 7 days: there is nothing to offer",
  has_its_own: "this hub has a past of its own: what another hub had is no concern of it",
  other_history: "epoch: this is no former history of this hub",
  never_given: "version: this hub cannot have given so high a version of an order that it has not",
  no_room: "the hub's list of what was lost is full: a manager has to decide on it first",
} as const;
