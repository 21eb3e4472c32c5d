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
/** More than one night needs. Beyond it, only the newest are kept. */
const MAX_OFFERS = 500;
/** No hub accepts older ones. */
const MAX_AGE_MS = 7 * DAY_MS;

/** An order that this terminal held, or its removal, from a history that the hub does not have. */
export type SavedOffer = {
  /** Id of the hub that answered at this address before; null for a former history of this hub. */
  hubId: string | null;
  epoch: string;
  /** `asked`: the hub keeps it for a manager. `waiting`: sent again, because there was no answer or no room. */
  state: "waiting" | "asked" | "refused";
} & ({ order: StoredOrder; removal?: never } | { removal: OrderRemoval; order?: never });

/** A check of the hub that answered at this address before, as this terminal held it. */
export interface FormerCheck extends Pick<StoredOrder, "posReference" | "snapshot"> {
  /** `asked`: a manager has to decide. Otherwise only this terminal has it: not sent yet, or refused by the hub. */
  state: SavedOffer["state"];
}

/** Orders that this terminal has and the hub lacks, offered until the hub answers. They survive a reload. */
export function createOffers(deps: {
  loaded: readonly SavedOffer[];
  schemas: Schemas;
  save(offers: readonly SavedOffer[]): void;
  /** Rejects if there is no answer. */
  send(message: TerminalMessageInput): Promise<HubMessage>;
  /** Whether the hub of this session accepts offers from its own history, or from another hub's. */
  isAccepted(whose: "own" | "others"): boolean;
  now(): number;
  /** Returns the hub's current order. */
  order(posReference: string): StoredOrder | undefined;
  /** Called when the known checks of another hub, or their states, may have changed. */
  changed(): void;
}) {
  const { now, schemas } = deps;
  let offers = new Map(deps.loaded.filter(isYoung).map((offer) => [stateOf(offer).posReference, offer]));
  let isSending = false;

  function isYoung(offer: SavedOffer): boolean {
    return now() - Date.parse(writtenAt(offer)) < MAX_AGE_MS;
  }

  function replace(list: readonly SavedOffer[]): void {
    offers = new Map(list.map((offer) => [stateOf(offer).posReference, offer]));
    deps.save(list);
    deps.changed();
  }

  /** Returns waiting offers of one history that fit one page. */
  function nextPage(): SavedOffer[] {
    const isDue = ({ state, hubId }: SavedOffer) =>
      state === "waiting" && deps.isAccepted(hubId === null ? "own" : "others");
    const due = [...offers.values()].filter(isDue);
    const page: SavedOffer[] = [];
    let bytes = 0;
    for (const offer of due) {
      if (offer.hubId !== due[0]?.hubId || offer.epoch !== due[0]?.epoch) continue;
      bytes += JSON.stringify(stateOf(offer)).length;
      if (bytes > PAGE_BYTES && page.length > 0) break;
      page.push(offer);
    }
    return page;
  }

  /** Stores the hub's answer. Returns whether the hub had room for all of the page. */
  function answered(page: readonly SavedOffer[], answer: HubMessage): boolean {
    const { taken = 0, waiting = [], error } = answer.type === "ORDER_OFFER_ACK" ? answer : { error: "" };
    const state = error !== undefined && taken === 0 ? "refused" : "asked";
    const isAnswered = (offer: SavedOffer) => page.includes(offer) && !waiting.includes(stateOf(offer).posReference);
    replace(
      [...offers.values()].flatMap((offer) => {
        // A newer offer may have been added in the meantime.
        if (!isAnswered(offer)) return [offer];
        return offer.hubId === null || isOpenOfAnother(offer) ? [{ ...offer, state }] : [];
      }),
    );
    return waiting.length === 0;
  }

  return {
    /** `isOfAnother`: the orders are from the hub that answered at this address before. */
    add({ hubId, epoch, orders, removed }: Former, isOfAnother: boolean): void {
      const all = new Map(offers);
      const from = { hubId: isOfAnother ? hubId : null, epoch, state: "waiting" } as const;
      // One order out of bounds would make the hub refuse the whole page.
      const valid = orders.filter((order) => schemas.offeredOrder.safeParse(order).success);
      const collected = [
        ...valid.map((order) => ({ ...from, order })),
        ...removed.map((removal) => ({ ...from, removal })),
      ];
      for (const offer of collected) {
        const { posReference, version } = stateOf(offer);
        const before = all.get(posReference);
        if (before === undefined || stateOf(before).version < version) all.set(posReference, offer);
      }
      // Finished orders first: they are dropped first for lack of room, and the hub has them before it gets the rest.
      const first = (one: SavedOffer, other: SavedOffer) =>
        Number(isOver(other)) - Number(isOver(one)) || (writtenAt(one) < writtenAt(other) ? -1 : 1);
      replace([...all.values()].filter(isYoung).toSorted(first).slice(-MAX_OFFERS));
    },
    /**
     * Drops offers of another hub if the current hub (`hubId`) has the order or is that hub, and answered offers of the
     * current hub's own history once their checks are not open.
     */
    forget(hubId?: string): void {
      const remaining = [...offers.values()].filter((offer) => {
        const current = deps.order(stateOf(offer).posReference);
        if (offer.hubId !== null) return offer.hubId !== hubId && current === undefined;
        return offer.state === "waiting" || isActive(current?.snapshot.status ?? "closed");
      });
      if (remaining.length < offers.size) replace(remaining);
    },
    /** Drops answered offers of another hub, which a person has read. Only this terminal has the waiting ones. */
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
    /** Sends the offers page by page. A page without an answer, or without room on the hub, waits for the next call. */
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
        // Without an answer, the next session sends them again.
      } finally {
        isSending = false;
      }
    },
  };
}

function stateOf({ order, removal }: SavedOffer): StoredOrder | OrderRemoval {
  return order ?? removal;
}

function writtenAt({ order, removal }: SavedOffer): string {
  return order?.snapshot.updatedAt ?? removal?.at ?? "";
}

/** Whether the check is finished. */
function isOver({ order }: SavedOffer): boolean {
  return (order?.snapshot.status ?? "closed") === "closed";
}

/** Whether an offer is an open check of another hub. Only these are shown to the user. */
function isOpenOfAnother(offer: SavedOffer): offer is SavedOffer & { order: StoredOrder } {
  return offer.hubId !== null && !isOver(offer);
}
