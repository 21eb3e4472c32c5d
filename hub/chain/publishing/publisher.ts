import { writeSentPlace } from "@comanda/protocol/chain.ts";
import { createLoop } from "../../platform/loop.ts";
import { createStop } from "../../platform/until-stopped.ts";
import type { World } from "../../platform/world.ts";
import type { ChainLine } from "../connection/chain-line.ts";
import type { ChainSource } from "../source/chain-source.ts";
import { type Confirmations, createConfirmations } from "./confirmations.ts";
import { createDayDigests } from "./day-digest.ts";
import { createGathering } from "./gathering.ts";
import { createHeadquartersRequests, type HeadquartersRequests } from "./headquarters-requests.ts";
import { nextBatch, type NextBatch, type Position } from "./next-batch.ts";
import { createSendingPauses, type SendingPauses } from "./sending-pauses.ts";
import { createPublisherPosition, type PublisherPosition } from "./publisher-position.ts";

/** Interval when nothing is due. */
const IDLE_MS = 60_000;

export type Publisher = ReturnType<typeof createPublisher>;

export interface PublisherState {
  isSuperseded: boolean;
  /** Since when sending fails (ms since 1970), and why; null while it works. */
  stopped: { since: number; error: string } | null;
  /** Progress of a full transfer in objects, or null. */
  full: { sent: number; of: number } | null;
  /** Time up to which headquarters have everything, ms since 1970; null before the first confirmation. */
  confirmedUntil: number | null;
  /** Whether headquarters have everything up to now. */
  isCurrent: boolean;
}

/**
 * Sends headquarters the newest state of each changed object, in batches in the hub's order. It stores no position: it asks
 * headquarters and the stream. Only headquarters' confirmation counts as received.
 */
export function createPublisher(deps: {
  world: World;
  source: ChainSource;
  line: ChainLine;
  restaurantId: string;
  historyDays: number;
  /** Maximum rate in kilobits per second. */
  kbps: number;
  /** Called when the result of `state` changes. */
  onState(): void;
}) {
  const { world, source, line } = deps;
  const { clock } = world;
  const confirmations = createConfirmations(clock);
  const days = createDayDigests(deps);
  const loop = createLoop(world, "chain", IDLE_MS, run, dueMs);
  /** Rejects pending requests when the hub stops. */
  const { orStop, isStopped, stop } = createStop();
  const pauses = createSendingPauses(deps);
  const place = createPublisherPosition({
    ...deps,
    confirmations,
    orStop,
    onBack: days.forget,
    onDiffering: days.noteDiffering,
    onSuperseded: deps.onState,
  });

  const gathering = createGathering({ world, behindMs: confirmations.behindMs, onEnd: loop.wake });
  const requests = createHeadquartersRequests({ clock, place, pauses, gathering, loop });

  /** Whether something may be left to send. */
  let isMore = false;

  const isInactive = (): boolean => isStopped() || place.isSuperseded() || !line.isUp();

  async function run(): Promise<void> {
    // Changes go once they are gathered. What was left from before does not wait for them.
    let isWaiting = !isMore && gathering.isLong();
    isMore = true;
    while (isMore && !isInactive() && pauses.untilDueMs() <= 0) {
      try {
        const before = place.position();
        await findPlace({ requests, place, pauses, confirmations });
        isWaiting &&= place.position() === before;
        isMore = isWaiting ? false : await sendNext();
      } catch (error) {
        if (!isStopped() && line.isUp()) pauses.pause(error);
        return;
      }
    }
  }

  /** Returns whether there may be more to do at once. */
  async function sendNext(): Promise<boolean> {
    const position = place.position();
    if (position === null) return false;
    const { identity, batch } = await nextBatch(deps, position);
    place.read(identity);
    if (batch !== null) {
      await send(batch);
      return true;
    }
    // Nothing is left to send, unless the hub's epoch changed in the meantime.
    const now = place.position();
    if (now?.kind === "live") await sendDay(now);
    return place.position() === null;
  }

  async function send({ packed, after, place: leavesAt, until }: NextBatch): Promise<void> {
    await orStop(line.publish(packed.payload, writeSentPlace(leavesAt)));
    pauses.goOn();
    // A reconnect or a message from headquarters has reset the position in the meantime.
    if (place.position() === null) return;
    place.moveTo(after);
    if (leavesAt !== null) confirmations.sent(leavesAt, until);
    pauses.sent(packed.payload.byteLength, deps.kbps);
  }

  async function sendDay(from: Position & { kind: "live" }): Promise<void> {
    const batch = await days.next(from);
    if (batch === null || place.position() !== from) return;
    await send(batch);
    if (batch.packed.digest !== undefined) days.sent(batch.packed.digest.day);
  }

  function dueMs(): number {
    if (isInactive()) return IDLE_MS;
    const wait = isMore ? 0 : Math.min(IDLE_MS, confirmations.overdueInMs());
    return Math.max(pauses.untilDueMs(), wait);
  }

  return {
    listener: requests.listener,
    start: loop.start,
    /** Called when something changed. */
    wake(): void {
      if (!isInactive()) gathering.add();
    },
    state: (): PublisherState => publisherState({ world, source, place, pauses, confirmations }),
    async stop(): Promise<void> {
      stop();
      gathering.stop();
      await loop.stop();
    },
  };
}

/** Resets the position when a resend is requested, when there is none, or when a confirmation is overdue. */
async function findPlace(deps: {
  requests: HeadquartersRequests;
  place: PublisherPosition;
  pauses: SendingPauses;
  confirmations: Confirmations;
}): Promise<void> {
  const { requests, place, pauses, confirmations } = deps;
  const resend = requests.takeResend();
  if (resend !== null) {
    await place.goTo(resend);
  } else if (place.position() === null) {
    await place.find();
    pauses.goOn();
  } else if (confirmations.isOverdue()) {
    await place.recheck();
  }
}

function publisherState(deps: {
  world: World;
  source: ChainSource;
  place: PublisherPosition;
  pauses: SendingPauses;
  confirmations: Confirmations;
}): PublisherState {
  const { place, pauses, confirmations } = deps;
  const position = place.position();
  const full = position?.kind === "full" ? { sent: position.of - position.heads.length, of: position.of } : null;
  const isCurrent = position?.kind === "live" && confirmations.isConfirmed(deps.source.newestSeq());
  return {
    isSuperseded: place.isSuperseded(),
    stopped: pauses.stopped(),
    full,
    isCurrent,
    confirmedUntil: isCurrent ? deps.world.clock.now() : confirmations.until(),
  };
}
