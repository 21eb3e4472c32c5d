import { DAY_MS } from "@comanda/protocol";
import { type ChainCursor, type ChainSuperseded, writeSentPlace } from "@comanda/protocol/chain.ts";
import { createLoop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { ChainLine, ChainListener } from "./chain-line.ts";
import type { ChainIdentity, ChainSource } from "./chain-source.ts";
import { createConfirmations } from "./confirmations.ts";
import { createDayDigests } from "./day-digest.ts";
import { nextBatch, type NextBatch, type Position } from "./next-batch.ts";
import { startPlace } from "./place.ts";

/** Changes that come together travel together. */
const GATHER_MS = 300;
/** Nothing is due. */
const IDLE_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Headquarters that ask for the same again and again get it once in a while. */
const RESEND_MS = 1_000;

export type Publisher = ReturnType<typeof createPublisher>;

export interface PublisherState {
  isSuperseded: boolean;
  /** Since when nothing could be sent (ms since 1970), and why; null while it can. */
  stopped: { since: number; error: string } | null;
  /** A full transfer is under way: how many objects of how many it has sent. */
  full: { sent: number; of: number } | null;
  /** Up to when headquarters have everything, ms since 1970; null before they have anything. */
  confirmedUntil: number | null;
  /** They have everything that is. */
  isCurrent: boolean;
}

/**
 * Sends headquarters what changed, newest state of each object, in batches of the hub's own order. Nothing of where it
 * stands is stored: it asks headquarters and the stream. What counts as received is only what headquarters say they have.
 */
export function createPublisher(deps: {
  world: World;
  source: ChainSource;
  line: ChainLine;
  restaurantId: string;
  historyDays: number;
  /** The most that it sends, in kilobits a second. */
  kbps: number;
  /** What `state` answers has become another. */
  onState(): void;
}) {
  const { world, source, line } = deps;
  const { clock } = world;
  const confirmations = createConfirmations(clock);
  const days = createDayDigests(deps);
  const loop = createLoop(world, "chain", IDLE_MS, run, dueMs);
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => {});

  let position: Position | null = null;
  let identity: ChainIdentity | null = null;
  let isStopped = false;
  let isSuperseded = false;
  let resend: ChainCursor | null = null;
  let lastResendAt = -Infinity;
  let gathering: NodeJS.Timeout | undefined;
  /** Monotonic: nothing is sent before it. */
  let notBefore = 0;
  /** Something may be left to be sent. */
  let isMore = false;
  let failures = 0;
  let stopped: PublisherState["stopped"] = null;

  /** Where the hub stops, nobody waits for an answer. */
  const orStop = <T>(work: Promise<T>): Promise<T> => Promise.race([work, stopping.promise]);

  async function run(): Promise<void> {
    isMore = true;
    while (isMore && !isStopped && !isSuperseded && line.isUp() && clock.monotonic() >= notBefore) {
      try {
        isMore = await step();
      } catch (error) {
        if (!isStopped && line.isUp()) pause(error);
        return;
      }
    }
  }

  /** Whether there may be more to do at once. */
  async function step(): Promise<boolean> {
    if (resend !== null) {
      const from = resend;
      resend = null;
      await goTo(from);
    } else if (position === null) {
      await findPlace();
    } else if (confirmations.isOverdue()) {
      await lookBack();
    }
    if (position === null || isSuperseded) return false;
    const { epoch } = position;
    const next = await nextBatch(deps, position);
    ({ identity } = next);
    if (identity.epoch !== epoch) position = null;
    const { batch } = next;
    if (batch !== null) {
      await send(batch);
      return true;
    }
    // Nothing is left to be sent, unless the hub's history began anew meanwhile.
    if (position?.kind === "live") await sendDay(position);
    return position === null;
  }

  async function send({ packed, after, place, at }: NextBatch): Promise<void> {
    await orStop(line.publish(packed.payload, writeSentPlace(place)));
    goOn();
    // What came in between, a new line or a word of headquarters, has decided otherwise.
    if (position === null) return;
    position = after;
    if (place !== null) confirmations.sent(place, at);
    notBefore = clock.monotonic() + (packed.payload.byteLength * 8) / deps.kbps;
  }

  async function sendDay(from: Position & { kind: "live" }): Promise<void> {
    const batch = await days.next(from);
    if (batch === null || position !== from) return;
    await send(batch);
    if (batch.packed.digest !== undefined) days.sent(batch.packed.digest.day);
  }

  async function findPlace(): Promise<void> {
    const who = await readIdentity();
    const cursor = await orStop(line.askCursor({ hubId: who.hubId, generation: who.generation, epoch: who.epoch }));
    const sent = await orStop(line.lastSent());
    const start = startPlace(who, source.lastFactId(), cursor, sent);
    if (start === null) throw new Error("headquarters do not answer");
    await begin(start, who);
    if (cursor !== null) noteCursor(cursor);
    if (sent !== null && position?.kind === "live") confirmations.sent(sent, clock.now());
    goOn();
  }

  /** Headquarters have said nothing of what was sent: what they have is asked for, and sent from there. */
  async function lookBack(): Promise<void> {
    const who = await readIdentity();
    const cursor = await orStop(line.askCursor({ hubId: who.hubId, generation: who.generation, epoch: who.epoch }));
    const sent = cursor === null ? null : await orStop(line.lastSent());
    confirmations.looked(cursor, sent);
    if (cursor === null || !confirmations.isOverdue()) return;
    confirmations.wentBack();
    await goTo(cursor);
  }

  async function goTo(cursor: ChainCursor): Promise<void> {
    const who = await readIdentity();
    const start = startPlace(who, source.lastFactId(), cursor, null);
    days.forget();
    if (start !== null) await begin(start, who);
  }

  async function readIdentity(): Promise<ChainIdentity> {
    identity = await source.atRest(() => source.identity());
    return identity;
  }

  async function begin(
    start: NonNullable<ReturnType<typeof startPlace>>,
    { epoch, seq }: ChainIdentity,
  ): Promise<void> {
    if (start.go === "superseded") {
      supersede();
    } else if (start.go === "on") {
      position = { kind: "live", epoch, seq: start.seq, factId: start.factId };
    } else {
      const since = clock.now() - deps.historyDays * DAY_MS;
      const { heads, cut } = await source.atRest(() => ({
        heads: source.everything(since),
        cut: Math.max(seq, source.identity().seq),
      }));
      position = { kind: "full", epoch, cut, heads, of: heads.length, next: cut, factId: start.factId };
      world.log.info({ objects: heads.length }, "headquarters get everything");
    }
  }

  function noteCursor(cursor: ChainCursor): void {
    if (identity === null) return;
    const { generation, epoch, formerEpochs, seq } = identity;
    const isOurs = cursor.epoch === epoch || formerEpochs.some((former) => former.epoch === cursor.epoch);
    if (cursor.generation !== generation || !isOurs || cursor.seq > seq) return;
    confirmations.confirmed(cursor, epoch);
  }

  function supersede(): void {
    position = null;
    if (isSuperseded) return;
    isSuperseded = true;
    world.log.warn("another history of this hub has taken over at headquarters: nothing is sent to them");
    deps.onState();
  }

  /** Said once, and again when it is over: an evening without headquarters does not fill the log. */
  function pause(error: unknown): void {
    const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
    notBefore = clock.monotonic() + wait * (0.75 + (0.5 * (world.random.bytes(1)[0] ?? 0)) / 255);
    if (stopped !== null) return;
    stopped = { since: clock.now(), error: error instanceof Error ? error.message : String(error) };
    world.log.warn({ err: error }, "headquarters cannot be sent anything for now; it is tried again");
    deps.onState();
  }

  function goOn(): void {
    failures = 0;
    if (stopped === null) return;
    world.log.info({ since: isoTime(stopped.since) }, "headquarters get what changed again");
    stopped = null;
    deps.onState();
  }

  function dueMs(): number {
    if (isStopped || isSuperseded || !line.isUp()) return IDLE_MS;
    const wait = isMore ? 0 : Math.min(IDLE_MS, confirmations.overdueInMs());
    return Math.max(notBefore - clock.monotonic(), wait);
  }

  const listener: ChainListener = {
    onUp() {
      position = null;
      isSuperseded = false;
      notBefore = 0;
      loop.wake();
    },
    onCursor(cursor) {
      noteCursor(cursor);
      loop.reschedule();
    },
    onResend(cursor) {
      const now = clock.monotonic();
      if (identity === null || cursor.generation > identity.generation || now - lastResendAt < RESEND_MS) return;
      // Batches from before a full transfer are no reason to begin it again: what lacks of it shows at its end.
      if (position?.kind === "full" && !cursor.isFullDone) return;
      lastResendAt = now;
      resend = cursor;
      loop.wake();
    },
    onSuperseded({ generation }: ChainSuperseded) {
      if (identity !== null && generation > identity.generation) supersede();
    },
  };

  return {
    listener,
    start: loop.start,
    /** Something changed. */
    wake(): void {
      if (gathering !== undefined || isStopped || isSuperseded || !line.isUp()) return;
      gathering = world.timers.setTimeout(() => {
        gathering = undefined;
        loop.wake();
      }, GATHER_MS);
    },
    state(): PublisherState {
      const full = position?.kind === "full" ? { sent: position.of - position.heads.length, of: position.of } : null;
      const isCurrent = position?.kind === "live" && confirmations.isConfirmed(source.newestSeq());
      return {
        isSuperseded,
        stopped,
        full,
        isCurrent,
        confirmedUntil: isCurrent ? clock.now() : confirmations.until(),
      };
    },
    async stop(): Promise<void> {
      isStopped = true;
      world.timers.clearTimeout(gathering);
      stopping.reject(new Error("the hub stops"));
      await loop.stop();
    },
  };
}
