import { RESERVATIONS_PLUGIN, WAITING_PLUGIN, type PluginRecord, type SetBookingStatus } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { HubUnreachableError } from "../refusal.ts";
import { createGuestRecords } from "./guest-records.ts";

const record: PluginRecord = {
  pluginId: RESERVATIONS_PLUGIN,
  key: "b",
  payload: {},
  version: 4,
  createdAt: "2026-11-21T20:00:00.000Z",
  updatedAt: "2026-11-21T20:00:00.000Z",
  expiresAt: null,
};

/** Guest records over a hub that answers each write with the next version, as it would. */
function guestsOf({ isOnline = true, records = [record] } = {}) {
  const sent: SetBookingStatus[] = [];
  const guests = createGuestRecords({
    http: {
      async setBookingStatus(_, body) {
        sent.push(body);
        return { ...record, version: body.version + 1 };
      },
      putBooking: async (key, { version = 0 }) => ({ ...record, key, version: version + 1 }),
      putWaitingParty: async (key, { version }) => ({ ...record, key, version: version + 1 }),
    },
    isOnline: () => isOnline,
    records: () => records,
  });
  return { guests, sent };
}

describe("the parties that wait", () => {
  it("[TOUCH-172] are those of whose records the hub does not warn", () => {
    const payload = { guestName: "Ana", partySize: 2, quotedMinutes: 10, since: "2026-11-21T20:00:00.000Z" };
    const waiting = { ...record, pluginId: WAITING_PLUGIN, key: "w", payload };
    const broken = { ...waiting, key: "x", payload: { guestName: 3 }, warnings: ["guestName: no text"] };
    expect(guestsOf({ records: [record, waiting, broken] }).guests.waiting()).toEqual([
      { key: "w", party: { ...payload, status: "waiting" } },
    ]);
  });
});

describe("what hosts tell the hub", () => {
  it("[TOUCH-123] is refused while the hub is away, and for a booking that is gone", async () => {
    const away = guestsOf({ isOnline: false });
    await expect(away.guests.setBookingStatus("b", "no_show")).rejects.toThrow(HubUnreachableError);
    const gone = guestsOf({ records: [] });
    await expect(gone.guests.setBookingStatus("b", "no_show")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([...away.sent, ...gone.sent]).toEqual([]);
  });

  it("[TOUCH-123] goes out one after the other, each on what the hub answered the one before", async () => {
    const { guests, sent } = guestsOf();
    await Promise.all([guests.setBookingStatus("b", "no_show"), guests.setBookingStatus("b", "booked")]);
    expect(sent).toEqual([
      { status: "no_show", version: 4 },
      { status: "booked", version: 5 },
    ]);
  });

  it("[TOUCH-400] a status after a change of a booking goes out on what the hub answered to the change", async () => {
    const { guests, sent } = guestsOf();
    const at = "2026-11-22T00:30:00.000Z";
    const changed = guests.putBooking("b", { tableId: 31, at, guestName: "Ana", partySize: 2, version: 4 });
    await Promise.all([changed, guests.setBookingStatus("b", "cancelled")]);
    expect([await changed, sent]).toEqual([5, [{ status: "cancelled", version: 5 }]]);
  });
});
