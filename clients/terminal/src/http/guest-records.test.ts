import {
  RESERVATIONS_PLUGIN,
  WAITING_PLUGIN,
  type PluginRecord,
  type PutWaitingParty,
  type SetBookingStatus,
} from "@comanda/protocol";
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

/** Guest records with a hub that answers each write with the next version. */
function guestsOf({ isOnline = true, records = [record] } = {}) {
  const sent: SetBookingStatus[] = [];
  const parties: PutWaitingParty[] = [];
  const guests = createGuestRecords({
    http: {
      async setBookingStatus(_, body) {
        sent.push(body);
        return { ...record, version: body.version + 1 };
      },
      putBooking: async (key, { version = 0 }) => ({ ...record, key, version: version + 1 }),
      async putWaitingParty(key, body) {
        parties.push(body);
        return { ...record, key, version: body.version + 1 };
      },
    },
    isOnline: () => isOnline,
    records: () => records,
  });
  return { guests, sent, parties };
}

describe("waiting parties", () => {
  it("waiting parties whose record breaks a rule are left out [TOUCH-172]", () => {
    const payload = { guestName: "Ana", partySize: 2, quotedMinutes: 10, since: "2026-11-21T20:00:00.000Z" };
    const waiting = { ...record, pluginId: WAITING_PLUGIN, key: "w", payload };
    const broken = { ...waiting, key: "x", payload: { guestName: 3 }, warnings: ["guestName: no text"] };
    expect(guestsOf({ records: [record, waiting, broken] }).guests.waiting()).toEqual([
      { key: "w", version: 4, party: { ...payload, status: "waiting" } },
    ]);
  });
});

describe("changes by hosts", () => {
  it("a change by a host is refused while the hub is unreachable, and for a missing booking [TOUCH-123]", async () => {
    const away = guestsOf({ isOnline: false });
    await expect(away.guests.setBookingStatus("b", "no_show")).rejects.toThrow(HubUnreachableError);
    const empty = guestsOf({ records: [] });
    await expect(empty.guests.setBookingStatus("b", "no_show")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([...away.sent, ...empty.sent]).toEqual([]);
  });

  it("changes by hosts are sent one after the other, each with the version of the previous answer [TOUCH-123]", async () => {
    const { guests, sent } = guestsOf();
    await Promise.all([guests.setBookingStatus("b", "no_show"), guests.setBookingStatus("b", "booked")]);
    expect(sent).toEqual([
      { status: "no_show", version: 4 },
      { status: "booked", version: 5 },
    ]);
  });

  it("an undo is based on this device's own change: the hub refuses it if others changed the record [TOUCH-123, TOUCH-125]", async () => {
    const records = [record];
    const { guests, sent, parties } = guestsOf({ records });
    const noShowVersion = await guests.setBookingStatus("b", "no_show");
    records[0] = { ...record, version: 7 };
    await guests.setBookingStatus("b", "booked", noShowVersion);
    expect(sent.at(-1)).toEqual({ status: "booked", version: noShowVersion });
    const party = { guestName: "Ana", partySize: 2, quotedMinutes: 10, status: "waiting" as const };
    const leftVersion = await guests.putWaiting("w", { ...party, status: "left" });
    records.push({ ...record, pluginId: WAITING_PLUGIN, key: "w", version: 3 });
    await guests.putWaiting("w", party, leftVersion);
    expect(parties.map(({ version }) => version)).toEqual([0, leftVersion]);
  });

  it("a change names the version that the user saw and this device's own later writes [TOUCH-438]", async () => {
    const records = [{ ...record, version: 9 }];
    const { guests, sent } = guestsOf({ records });
    await guests.setBookingStatus("b", "no_show", 4);
    await guests.setBookingStatus("b", "booked", 4);
    expect(sent.map(({ version }) => version)).toEqual([4, 5]);
  });

  it("a status after a change of a booking is based on the hub's answer to the change [TOUCH-400]", async () => {
    const { guests, sent } = guestsOf();
    const at = "2026-11-22T00:30:00.000Z";
    const changed = guests.putBooking("b", { tableId: 31, at, guestName: "Ana", partySize: 2, version: 4 });
    await Promise.all([changed, guests.setBookingStatus("b", "cancelled")]);
    expect([await changed, sent]).toEqual([5, [{ status: "cancelled", version: 5 }]]);
  });
});
