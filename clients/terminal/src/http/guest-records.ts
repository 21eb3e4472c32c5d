import {
  RESERVATIONS_PLUGIN,
  WAITING_PLUGIN,
  waitingDefaults,
  type BookingStatus,
  type PluginRecord,
  type PutBooking,
  type PutWaitingParty,
  type WaitingParty,
} from "@comanda/protocol";
import { HubUnreachableError, TerminalRefusal } from "../refusal.ts";
import type { HubHttp } from "./hub-http.ts";

/** Guests without a booking who wait for a table. */
export interface Waiting {
  key: string;
  /** Of its record. */
  version: number;
  party: WaitingParty;
}

export type GuestRecords = ReturnType<typeof createGuestRecords>;

/**
 * What hosts tell the hub about their guests, one after the other, so that an undo follows what it takes back. Only while the
 * hub is there (HubUnreachableError); TerminalRefusal CONFLICT when somebody else changed the same meanwhile, since the version
 * that the person has `seen`, where it is named. Each answers the version that the record has now.
 */
export function createGuestRecords(deps: {
  http: Pick<HubHttp, "setBookingStatus" | "putBooking" | "putWaitingParty">;
  isOnline(): boolean;
  records(): Iterable<PluginRecord>;
}) {
  /** Versions that the hub has answered: its message with the record may come later. */
  const answered = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  /**
   * `send` gets the version of the record that was seen, by default the newest known one, and with what this device has written
   * itself; 0: there is none. Answers the next one.
   */
  function write(
    { pluginId, key, seen }: { pluginId: string; key: string; seen?: number | undefined },
    send: (version: number) => Promise<PluginRecord>,
  ): Promise<number> {
    const written = last.then(async () => {
      if (!deps.isOnline()) throw new HubUnreachableError("the hub is away, and guests are kept only there");
      const name = `${pluginId}/${key}`;
      const newest = (): number =>
        [...deps.records()].find((each) => each.pluginId === pluginId && each.key === key)?.version ?? 0;
      const version = Math.max(seen ?? newest(), answered.get(name) ?? 0);
      const { version: next } = await send(version);
      answered.set(name, next);
      return next;
    });
    last = written.catch(() => {});
    return written;
  }

  return {
    /** The guests of a booking were seated, do not come, did not come, or are expected after all. */
    setBookingStatus: (key: string, status: BookingStatus, seen?: number): Promise<number> =>
      write({ pluginId: RESERVATIONS_PLUGIN, key, seen }, async (version) => {
        if (version === 0) throw new TerminalRefusal("NOT_FOUND", `there is no booking ${key}`);
        return deps.http.setBookingStatus(key, { status, version });
      }),
    /** A booking that came by telephone, under a new key, or what has changed about it since its `version`. */
    putBooking: (key: string, booking: PutBooking): Promise<number> =>
      write({ pluginId: RESERVATIONS_PLUGIN, key }, () => deps.http.putBooking(key, booking)),
    /** Who waits for a table, or did today, the longest first. */
    waiting: (): Waiting[] =>
      [...deps.records()]
        .filter(({ pluginId, warnings }) => pluginId === WAITING_PLUGIN && warnings === undefined)
        .map(({ key, version, payload }) => ({
          key,
          version,
          party: { ...waitingDefaults, ...payload } as unknown as WaitingParty,
        }))
        .toSorted((one, other) => Date.parse(one.party.since) - Date.parse(other.party.since)),
    /** Guests who have come under a key that is new, or what has become of those who wait. */
    putWaiting: (key: string, party: Omit<PutWaitingParty, "version">, seen?: number): Promise<number> =>
      write({ pluginId: WAITING_PLUGIN, key, seen }, (version) =>
        deps.http.putWaitingParty(key, { ...party, version }),
      ),
  };
}
