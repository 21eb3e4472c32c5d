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
  /** Version of the record. */
  version: number;
  party: WaitingParty;
}

export type GuestRecords = ReturnType<typeof createGuestRecords>;

/**
 * Creates the writers of guest records. Writes run one after the other, so that an undo follows what it reverts. They need the
 * hub (HubUnreachableError). They reject with TerminalRefusal CONFLICT if the record has changed since the version that the
 * person has `seen`, if given. Each resolves with the record's new version.
 */
export function createGuestRecords(deps: {
  http: Pick<HubHttp, "setBookingStatus" | "putBooking" | "putWaitingParty">;
  isOnline(): boolean;
  records(): Iterable<PluginRecord>;
}) {
  /** Versions from the hub's responses, which may arrive before its broadcast of the record. */
  const answered = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Calls `send` with the version that was seen, by default the newest known, including this device's own writes. 0 means that
   * there is no record yet. Resolves with the new version.
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
    /** Sets the status of a booking: seated, cancelled, no-show or expected again. */
    setBookingStatus: (key: string, status: BookingStatus, seen?: number): Promise<number> =>
      write({ pluginId: RESERVATIONS_PLUGIN, key, seen }, async (version) => {
        if (version === 0) throw new TerminalRefusal("NOT_FOUND", `there is no booking ${key}`);
        return deps.http.setBookingStatus(key, { status, version });
      }),
    /** Stores a telephone booking under a new key, or changes an existing one, based on its `version`. */
    putBooking: (key: string, booking: PutBooking): Promise<number> =>
      write({ pluginId: RESERVATIONS_PLUGIN, key }, () => deps.http.putBooking(key, booking)),
    /** The waiting list of today, including parties no longer waiting, the longest wait first. */
    waiting: (): Waiting[] =>
      [...deps.records()]
        .filter(({ pluginId, warnings }) => pluginId === WAITING_PLUGIN && warnings === undefined)
        .map(({ key, version, payload }) => ({
          key,
          version,
          party: { ...waitingDefaults, ...payload } as unknown as WaitingParty,
        }))
        .toSorted((one, other) => Date.parse(one.party.since) - Date.parse(other.party.since)),
    /** Adds a waiting party under a new key, or changes one. */
    putWaiting: (key: string, party: Omit<PutWaitingParty, "version">, seen?: number): Promise<number> =>
      write({ pluginId: WAITING_PLUGIN, key, seen }, (version) =>
        deps.http.putWaitingParty(key, { ...party, version }),
      ),
  };
}
