import { DAY_MS } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Memory } from "../db/remembered.ts";
import { createLoop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createRunTime } from "./run-time.ts";

export type TrustedTime = ReturnType<typeof createTrustedTime>;

/** Clocks that differ by at most this much agree. */
const TOLERANCE_MS = 10 * 60_000;
/** A clock before this is wrong, as on a machine with an empty battery. */
const PLAUSIBLE_SINCE = Date.parse("2026-01-01T00:00:00Z");
/** After a reboot, the wall clock is trusted if it says that the hub was off for at most this long. */
const MAX_STOP_MS = 2 * DAY_MS;
const SAVE_EVERY_MS = 60_000;
/** Name under which the hub remembers its time. */
export const MEMORY = "clock";

/** State of the machine when the hub last saved its time. */
interface SavedTime {
  uptimeMs: number;
  bootId: string | null;
  /** Whether the length of an earlier stop was unknown. */
  isOpen: boolean;
  /** How far the back-office's clock was ahead of this time, if it contradicted the wall clock. */
  backOfficeAheadMs: number | null;
  /** How far stamps were ahead of this time; an earlier hub did not save it. */
  stampsAheadMs?: number;
}

interface TimeDeps {
  world: World;
  memory: Memory;
  changes: ChangeLog;
  /** Called once when the back-office's time (ms since 1970) differs from the wall clock's. */
  onDisagreement: (wall: number, backOffice: number) => void;
}

/**
 * Provides the best known time. It follows the wall clock while that moves like the monotonic clock. After a jump it continues
 * without the wall clock, until that is back or the back-office confirms it.
 */
export function createTrustedTime(deps: TimeDeps) {
  const { world, memory, changes, onDisagreement } = deps;
  const { clock } = world;
  const { elapsed, uptimeMs } = createRunTime(clock);
  const startedUptimeMs = uptimeMs();
  const confirmedListeners: (() => void)[] = [];
  const correctedListeners: ((byMs: number, since: number) => void)[] = [];
  const stampsSetListeners: ((byMs: number, since: number) => void)[] = [];
  const loop = createLoop(world, "clock", SAVE_EVERY_MS, save);

  /** The time at the start of this run or, if `isOpen`, the earliest possible one. */
  let { origin, isOpen, backOfficeOrigin, stampOrigin } = beginning(memory, clock, startedUptimeMs);
  const isFirstOfBoot = stampOrigin === null;
  let wasConfirmed = true;
  let wasReported = false;

  /** Whether the wall clock is where it would be without any jump. */
  function isSteady(wall: number, ran: number): boolean {
    const aheadMs = wall - origin - ran;
    return aheadMs >= -TOLERANCE_MS && aheadMs <= (isOpen ? MAX_STOP_MS : TOLERANCE_MS);
  }

  function now(): number {
    const wall = clock.now();
    const ran = elapsed();
    return isSteady(wall, ran) ? wall : Math.round(origin + ran);
  }

  function stamp(): number {
    const wall = clock.now();
    return wall < PLAUSIBLE_SINCE ? now() : wall;
  }

  /** Follows the wall clock while that is right, and returns whether it is. Not to be called inside a write. */
  function observe(): boolean {
    const wall = clock.now();
    const ran = elapsed();
    if (backOfficeOrigin !== null && Math.abs(wall - backOfficeOrigin - ran) <= TOLERANCE_MS) {
      backOfficeOrigin = null;
      follow(wall - ran);
    } else if (backOfficeOrigin === null && isSteady(wall, ran)) follow(wall - ran);
    followStamps(stamp() - ran);
    const isConfirmed = backOfficeOrigin === null && isSteady(wall, ran) && wall >= PLAUSIBLE_SINCE;
    if (isConfirmed !== wasConfirmed) {
      wasConfirmed = isConfirmed;
      if (isConfirmed) confirmed();
      else {
        const facts = { wall: isoTime(wall), expected: isoTime(Math.round(origin + ran)) };
        world.log.warn(facts, "the wall clock cannot be trusted: nothing is deleted by its age");
      }
    }
    return isConfirmed;
  }

  function confirmed(): void {
    wasReported = false;
    world.log.info("the wall clock is trusted again");
    for (const listener of confirmedListeners) listener();
  }

  function follow(next: number): void {
    const byMs = next - origin;
    // It is unknown since when the clock was behind. Moving a timestamp too far only keeps its row longer.
    const since = byMs > 0 ? 0 : origin;
    origin = next;
    const wasCorrected = !isOpen && Math.abs(byMs) > TOLERANCE_MS;
    isOpen = false;
    if (wasCorrected) for (const listener of correctedListeners) listener(Math.round(byMs), Math.round(since));
  }

  function followStamps(next: number): void {
    const before = stampOrigin ?? next;
    const byMs = next - before;
    stampOrigin = next;
    if (Math.abs(byMs) <= TOLERANCE_MS) return;
    const since = isFirstOfBoot ? Math.round(before) : 0;
    for (const listener of stampsSetListeners) listener(Math.round(byMs), since);
  }

  async function save(): Promise<void> {
    observe();
    const backOfficeAheadMs = backOfficeOrigin === null ? null : backOfficeOrigin - origin;
    const stampsAheadMs = stamp() - now();
    const saved: SavedTime = { uptimeMs: uptimeMs(), bootId: clock.bootId(), isOpen, backOfficeAheadMs, stampsAheadMs };
    await changes.write(() => memory.write(MEMORY, saved, now()));
  }

  return {
    /** Time in ms since 1970 for measuring ages. While the length of a stop is unknown, the earliest possible time. */
    now,
    /** Like `now`, but while the length of a stop is unknown, the wall clock if that is ahead. */
    latest(): number {
      const earliest = now();
      return isOpen ? Math.max(earliest, clock.now()) : earliest;
    },
    /** The time for the hub's timestamps: the wall clock or, while that shows an impossible time, this time. */
    stamp,
    /** How far the machine's clock is ahead of this time, ms. */
    clockAheadMs: (): number => Math.round(clock.now() - now()),
    /** Whether the wall clock may decide what is old enough to delete. Must not be called inside a write. */
    isConfirmed: observe,

    /** Takes the time that the back-office just sent, ms since 1970. */
    learnBackOfficeTime(backOffice: number): void {
      backOfficeOrigin = backOffice - elapsed();
      if (isOpen && backOfficeOrigin >= origin - TOLERANCE_MS) {
        origin = backOfficeOrigin;
        isOpen = false;
      }
      observe();
      if (backOfficeOrigin === null || wasReported) return;
      wasReported = true;
      onDisagreement(clock.now(), backOffice);
    },

    /** Called when the wall clock is trusted again. */
    onConfirmed: (listener: () => void): void => void confirmedListeners.push(listener),
    /**
     * Called when this time turns out to have been wrong, with the correction in whole ms and since when it applies (ms since
     * 1970, in the wrong time). Timestamps set since then must be moved by it.
     */
    onCorrected: (listener: (byMs: number, since: number) => void): void => void correctedListeners.push(listener),

    /**
     * Called when what the hub stamps by was set, with by how many whole ms: what is to keep its age moves with it. The stamps
     * from before `since` (ms since 1970) are of another boot, whose clock may have been right.
     */
    onStampsSet: (listener: (byMs: number, since: number) => void): void => void stampsSetListeners.push(listener),

    start: loop.start,
    /** Saves the time, so that the next start knows how long the hub was off. */
    async stop(): Promise<void> {
      await loop.stop();
      await save().catch((error: unknown) => world.log.error({ err: error }, "the time could not be saved"));
    },
  };
}

/** Returns the time at the start of this run, from what the previous run saved. */
function beginning(memory: Memory, clock: World["clock"], startedUptimeMs: number) {
  const saved = memory.read<SavedTime>(MEMORY);
  if (saved === null) return { origin: clock.now(), isOpen: false, backOfficeOrigin: null, stampOrigin: null };
  const { uptimeMs: before, bootId, isOpen: wasOpen, backOfficeAheadMs, stampsAheadMs = 0 } = saved.value;
  const isSameBoot = bootId === clock.bootId() && startedUptimeMs >= before;
  const origin = saved.at + (isSameBoot ? startedUptimeMs - before : startedUptimeMs);
  return {
    origin,
    /** The hub was off for an unknown time: `origin` is the earliest possible start. */
    isOpen: wasOpen || !isSameBoot,
    /** Start of this run by the back-office's clock, while that disagrees with the wall clock. */
    backOfficeOrigin: backOfficeAheadMs === null ? null : origin + backOfficeAheadMs,
    /** The start of this run as the run before would have stamped it; null where that cannot be known. */
    stampOrigin: isSameBoot ? origin + stampsAheadMs : null,
  };
}
