import {
  DAY_MS,
  type HubMessage,
  isActive,
  type OrderRemoval,
  type StoredOrder,
  type TerminalMessageInput,
} from "@comanda/protocol";
import type { Schemas } from "../../schemas.ts";
import type { Former } from "./state-change.ts";

const PAGE_BYTES = 200 * 1024;
/** More than one night has; beyond that the newest. */
const MOST_OFFERS = 500;
/** No hub takes older ones. */
const KEPT_MS = 7 * DAY_MS;

/** An order that this terminal held, or knows to be removed, of a history that the hub does not have. */
export type SavedOffer = {
  /** Of the hub that stood here before; null: of this hub's own former history. */
  hubId: string | null;
  epoch: string;
  /** `asked`: the hub keeps it for a manager. Without an answer, or without room there, it waits and is sent again. */
  state: "waiting" | "asked" | "refused";
} & ({ order: StoredOrder; removal?: never } | { removal: OrderRemoval; order?: never });

/** A check of the hub that stood here before, as this terminal held it. */
export interface FormerCheck extends Pick<StoredOrder, "posReference" | "snapshot"> {
  /** A manager is asked about it; else only this terminal has it: it was not sent yet, or the hub has refused it. */
  state: SavedOffer["state"];
}

/** Orders that this terminal has and the hub lacks: offered until the hub has answered, and kept over a reload. */
export function createOffers(deps: {
  loaded: readonly SavedOffer[];
  schemas: Schemas;
  save(offers: readonly SavedOffer[]): void;
  /** Rejects when no answer comes. */
  send(message: TerminalMessageInput): Promise<HubMessage>;
  /** Whether the hub of this session takes offers of its own history, or of another hub's. */
  isAccepted(whose: "own" | "others"): boolean;
  now(): number;
  /** As the hub has it. */
  order(posReference: string): StoredOrder | undefined;
  /** What is known of another hub's checks, or of money that is missing, has changed. */
  changed(): void;
}) {
  const { now, schemas } = deps;
  let offers = new Map(deps.loaded.filter(isYoung).map((offer) => [knownOf(offer).posReference, offer]));
  let isSending = false;

  function isYoung(offer: SavedOffer): boolean {
    return now() - Date.parse(writtenAt(offer)) < KEPT_MS;
  }

  function replace(list: readonly SavedOffer[]): void {
    offers = new Map(list.map((offer) => [knownOf(offer).posReference, offer]));
    deps.save(list);
    deps.changed();
  }

  /** Orders of one history that fit one page. */
  function nextPage(): SavedOffer[] {
    const isDue = ({ state, hubId }: SavedOffer) =>
      state === "waiting" && deps.isAccepted(hubId === null ? "own" : "others");
    const due = [...offers.values()].filter(isDue);
    const page: SavedOffer[] = [];
    let bytes = 0;
    for (const offer of due) {
      if (offer.hubId !== due[0]?.hubId || offer.epoch !== due[0]?.epoch) continue;
      bytes += JSON.stringify(knownOf(offer)).length;
      if (bytes > PAGE_BYTES && page.length > 0) break;
      page.push(offer);
    }
    return page;
  }

  /** Answers whether the hub had room for all. */
  function answered(page: readonly SavedOffer[], answer: HubMessage): boolean {
    const { taken = 0, waiting = [], error } = answer.type === "ORDER_OFFER_ACK" ? answer : { error: "" };
    const state = error !== undefined && taken === 0 ? "refused" : "asked";
    const isAnswered = (offer: SavedOffer) => page.includes(offer) && !waiting.includes(knownOf(offer).posReference);
    replace(
      [...offers.values()].flatMap((offer) => {
        // A newer one may have been added meanwhile.
        if (!isAnswered(offer)) return [offer];
        return offer.hubId === null || isOpenOfAnother(offer) ? [{ ...offer, state }] : [];
      }),
    );
    return waiting.length === 0;
  }

  return {
    /** `isOfAnother`: of the hub that stood here before. */
    add({ hubId, epoch, orders, removed }: Former, isOfAnother: boolean): void {
      const all = new Map(offers);
      const from = { hubId: isOfAnother ? hubId : null, epoch, state: "waiting" } as const;
      // One order out of bounds would make the hub refuse its whole page.
      const held = orders.filter((order) => schemas.offeredOrder.safeParse(order).success);
      const known = [...held.map((order) => ({ ...from, order })), ...removed.map((removal) => ({ ...from, removal }))];
      for (const offer of known) {
        const { posReference, version } = knownOf(offer);
        const before = all.get(posReference);
        if (before === undefined || knownOf(before).version < version) all.set(posReference, offer);
      }
      // What is over first: where not all have room it is left out, and the hub knows it before it hears of the rest.
      const first = (one: SavedOffer, other: SavedOffer) =>
        Number(isOver(other)) - Number(isOver(one)) || (writtenAt(one) < writtenAt(other) ? -1 : 1);
      replace([...all.values()].filter(isYoung).toSorted(first).slice(-MOST_OFFERS));
    },
    /**
     * Forgets what the hub, which is `hubId` now, has by now of another one's, and what it was asked about its own checks
     * once they are not open.
     */
    forget(hubId?: string): void {
      const left = [...offers.values()].filter((offer) => {
        const known = deps.order(knownOf(offer).posReference);
        if (offer.hubId !== null) return offer.hubId !== hubId && known === undefined;
        return offer.state === "waiting" || isActive(known?.snapshot.status ?? "closed");
      });
      if (left.length < offers.size) replace(left);
    },
    /** Somebody has read what became of them; what waits is kept, since nobody else has it. */
    forgetAnswered(): void {
      replace([...offers.values()].filter(({ hubId, state }) => hubId === null || state === "waiting"));
    },
    formerChecks(): FormerCheck[] {
      return [...offers.values()].filter(isOpenOfAnother).map(({ order: { posReference, snapshot }, state }) => ({
        posReference,
        snapshot,
        state,
      }));
    },
    formerOrder: (posReference: string): StoredOrder | undefined => offers.get(posReference)?.order,
    /** Offers them page by page; a page without an answer, or without room on the hub, waits for the next call. */
    async send(): Promise<void> {
      if (isSending) return;
      isSending = true;
      try {
        for (let page = nextPage(); page[0] !== undefined; page = nextPage()) {
          const { hubId, epoch } = page[0];
          const orders = page.flatMap(({ order }) => order ?? []);
          const removed = page.flatMap(({ removal }) => removal ?? []);
          const offer = { type: "ORDER_OFFER", epoch, orders, removed } as const;
          const answer = await deps.send({ ...offer, ...(hubId !== null && { hubId }) });
          if (answer.type === "ERROR" && answer.retryable) return;
          if (!answered(page, answer)) return;
        }
      } catch {
        // No answer: the next session sends them again.
      } finally {
        isSending = false;
      }
    },
  };
}

function knownOf({ order, removal }: SavedOffer): StoredOrder | OrderRemoval {
  return order ?? removal;
}

function writtenAt({ order, removal }: SavedOffer): string {
  return order?.snapshot.updatedAt ?? removal?.at ?? "";
}

/** Nothing is left to do with the check. */
function isOver({ order }: SavedOffer): boolean {
  return (order?.snapshot.status ?? "closed") === "closed";
}

/** What somebody at this terminal asks about: of the rest the hub hears what became of it. */
function isOpenOfAnother(offer: SavedOffer): offer is SavedOffer & { order: StoredOrder } {
  return offer.hubId !== null && !isOver(offer);
}
