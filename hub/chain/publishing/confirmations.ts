import type { ChainCursor, SentPlace } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";

/** How long to wait for a confirmation if the stream no longer holds the last batch. */
const PATIENCE_MS = 8_000;
/** How long to wait if the stream does hold it: headquarters are only slow or away. */
const PATIENCE_WITH_STREAM_MS = 60_000;
/** Longest wait. Headquarters that cannot use a batch are sent it at growing intervals. */
const MAX_PATIENCE_MS = 600_000;
/** How many unconfirmed batches are remembered. */
const MAX_TIMES = 1_000;

export type Confirmations = ReturnType<typeof createConfirmations>;

/** Tracks which batches headquarters have confirmed and when a missing confirmation is overdue. */
export function createConfirmations(clock: World["clock"]) {
  let sent: SentPlace | null = null;
  let confirmed: Pick<ChainCursor, "seq" | "factId"> | null = null;
  /**
   * Unconfirmed batches: `at` is the time up to which everything is sent with the batch (ms since 1970, or null if more
   * follows), `sentAt` is monotonic.
   */
  let times: (SentPlace & { at: number | null; sentAt: number })[] = [];
  let until: number | null = null;
  /** Monotonic time of the last confirmation, or of the first batch sent after everything was confirmed. */
  let since = 0;
  let isInStream = false;
  let rounds = 0;

  const isBehind = (): boolean =>
    sent !== null && (confirmed === null || confirmed.seq < sent.seq || confirmed.factId < sent.factId);

  function patienceMs(): number {
    const patience = isInStream ? PATIENCE_WITH_STREAM_MS : PATIENCE_MS;
    return Math.min(MAX_PATIENCE_MS, patience * 2 ** rounds);
  }

  return {
    sent(place: SentPlace, at: number | null): void {
      if (!isBehind()) since = clock.monotonic();
      sent = place;
      isInStream = false;
      if (times[0]?.epoch !== place.epoch) times = [];
      times.push({ ...place, at, sentAt: clock.monotonic() });
      if (times.length > MAX_TIMES) times.shift();
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
    /** Age of the oldest unconfirmed batch in ms; 0 if all are confirmed. */
    behindMs: (): number => (times[0] === undefined ? 0 : clock.monotonic() - times[0].sentAt),
    isOverdue: (): boolean => isBehind() && clock.monotonic() - since >= patienceMs(),
    overdueInMs: (): number => (isBehind() ? Math.max(1, since + patienceMs() - clock.monotonic()) : Infinity),

    /** Takes the result of an overdue check. `cursor` is null if headquarters did not answer. */
    checked(cursor: ChainCursor | null, inStream: SentPlace | null): void {
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
