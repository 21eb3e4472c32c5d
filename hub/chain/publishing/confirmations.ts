import type { ChainCursor, SentPlace } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";

/** After it something is wrong, where the stream does not hold any more what was sent last. */
const PATIENCE_MS = 8_000;
/** Where it does, headquarters are only slow, or away. */
const PATIENCE_WITH_STREAM_MS = 60_000;
/** Headquarters that cannot use what they get are sent it again ever more rarely. */
const MOST_PATIENCE_MS = 600_000;
/** So many batches are remembered with their time. */
const TIMES_KEPT = 1_000;

export type Confirmations = ReturnType<typeof createConfirmations>;

/** What of what was sent headquarters have confirmed, and whether it is time to doubt. */
export function createConfirmations(clock: World["clock"]) {
  let sent: SentPlace | null = null;
  let confirmed: Pick<ChainCursor, "seq" | "factId"> | null = null;
  /**
   * Batches without a confirmation, with up to when everything has been sent with them (ms since 1970; null where more was to
   * come) and when they went (monotonic).
   */
  let times: (SentPlace & { at: number | null; sentAt: number })[] = [];
  let until: number | null = null;
  /** Monotonic: when something was last sent after everything was confirmed, or confirmed. */
  let since = 0;
  let isInStream = false;
  let rounds = 0;

  const isBehind = (): boolean =>
    sent !== null && (confirmed === null || confirmed.seq < sent.seq || confirmed.factId < sent.factId);

  function patienceMs(): number {
    const patience = isInStream ? PATIENCE_WITH_STREAM_MS : PATIENCE_MS;
    return Math.min(MOST_PATIENCE_MS, patience * 2 ** rounds);
  }

  return {
    sent(place: SentPlace, at: number | null): void {
      if (!isBehind()) since = clock.monotonic();
      sent = place;
      isInStream = false;
      if (times[0]?.epoch !== place.epoch) times = [];
      times.push({ ...place, at, sentAt: clock.monotonic() });
      if (times.length > TIMES_KEPT) times.shift();
    },

    confirmed(cursor: ChainCursor, epoch: string): void {
      if (!cursor.isFullDone) return;
      const isProgress =
        confirmed === null ||
        cursor.seq !== confirmed.seq ||
        cursor.factId !== confirmed.factId ||
        cursor.epoch !== epoch;
      confirmed = { seq: cursor.seq, factId: cursor.factId };
      if (!isProgress) return;
      since = clock.monotonic();
      rounds = 0;
      const isDone = (each: { seq: number; factId: number }): boolean =>
        each.seq <= cursor.seq && each.factId <= cursor.factId;
      for (const each of times) if (each.at !== null && isDone(each)) until = Math.max(until ?? 0, each.at);
      times = times.filter((each) => !isDone(each));
    },

    isConfirmed: (newestSeq: number): boolean => confirmed !== null && confirmed.seq >= newestSeq && !isBehind(),
    until: (): number | null => until,
    /** How long ago the oldest batch went that is not confirmed, ms; 0 where all are. */
    behindMs: (): number => (times[0] === undefined ? 0 : clock.monotonic() - times[0].sentAt),
    isOverdue: (): boolean => isBehind() && clock.monotonic() - since >= patienceMs(),
    overdueInMs: (): number => (isBehind() ? Math.max(1, since + patienceMs() - clock.monotonic()) : Infinity),

    /** What was found when it was overdue: `cursor` null where nobody answered. */
    looked(cursor: ChainCursor | null, inStream: SentPlace | null): void {
      if (cursor === null) {
        since = clock.monotonic();
        return;
      }
      isInStream =
        sent !== null &&
        inStream !== null &&
        inStream.epoch === sent.epoch &&
        inStream.seq >= sent.seq &&
        inStream.factId >= sent.factId;
      this.confirmed(cursor, cursor.epoch);
    },

    wentBack(): void {
      rounds += 1;
      since = clock.monotonic();
      sent = null;
      times = [];
    },
  };
}
