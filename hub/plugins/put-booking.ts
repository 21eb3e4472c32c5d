import { isDeepStrictEqual } from "node:util";
import {
  bookingByPhone,
  DAY_MS,
  hubLimits,
  isByPhone,
  type PluginRecord,
  type PutBooking,
  RESERVATIONS_PLUGIN,
} from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { PluginService } from "./plugin-service.ts";

/** How long a booking is kept after its time: until the evening was reviewed. */
const RETENTION_MS = 36 * 60 * 60_000;
/** Bookings further in the past or future are rejected as typing errors. */
const LATEST_MS = 12 * 60 * 60_000;
const MAX_AHEAD_MS = 360 * DAY_MS;

/**
 * Stores a booking taken by phone, or changes the one at `version`. It is kept until the day after. Repeating the same booking
 * returns it unchanged. Throws CONFLICT if the key has another booking, so that none is overwritten.
 */
export function putBooking(
  { world, plugins }: { world: World; plugins: Pick<PluginService, "change" | "listInWrite"> },
  key: string,
  booking: PutBooking,
  takenBy: string,
): Promise<PluginRecord> {
  const now = world.clock.now();
  const at = Date.parse(booking.at);
  if (at < now - LATEST_MS || at > now + MAX_AHEAD_MS) {
    throw new HubError("VALIDATION_ERROR", "at: must be today or within the next 360 days");
  }
  const ttlSeconds = Math.ceil((at + RETENTION_MS - now) / 1000);
  const target = { pluginId: RESERVATIONS_PLUGIN, key, ttlSeconds, renewsExpiry: true };
  return plugins.change(target, (record) => {
    if (record === null && booking.version !== undefined) throw new HubError("NOT_FOUND", `there is no booking ${key}`);
    if (record === null) {
      const phoneBookings = plugins.listInWrite(RESERVATIONS_PLUGIN).filter(({ payload }) => isByPhone(payload));
      if (phoneBookings.length < hubLimits.phoneBookings) return bookingByPhone(booking, takenBy);
      throw new HubError("LIMIT_REACHED", `at most ${hubLimits.phoneBookings} bookings taken by phone are kept`);
    }
    const { takenBy: _, ...requested } = bookingByPhone(booking, takenBy);
    const { takenBy: first, status, ...stored } = record.payload;
    if (isDeepStrictEqual(stored, requested)) return record.payload;
    if (record.version === booking.version && isByPhone(record.payload)) {
      return { ...requested, takenBy: first, ...(status !== undefined && { status }) };
    }
    throw new HubError("CONFLICT", `booking ${key} has other content`, { version: record.version });
  });
}
