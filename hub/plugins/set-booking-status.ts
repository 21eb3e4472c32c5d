import {
  brokenPluginCap,
  Reservation,
  RESERVATIONS_PLUGIN,
  type PluginRecord,
  type SetBookingStatus,
} from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";
import { HubError } from "../platform/errors.ts";
import type { PluginService } from "./plugin-service.ts";

/**
 * Sets the status in a booking's record. Throws NOT_FOUND, VALIDATION_ERROR if the record is not a booking, or CONFLICT if it
 * was changed since. A booking that already has the status stays unchanged.
 */
export function setBookingStatus(
  plugins: Pick<PluginService, "change">,
  key: string,
  { status, version }: SetBookingStatus,
): Promise<PluginRecord> {
  return plugins.change({ pluginId: RESERVATIONS_PLUGIN, key }, (record) => {
    if (record === null) throw new HubError("NOT_FOUND", `there is no booking ${key}`);
    const booking = Reservation.safeParse(record.payload);
    if (!booking.success)
      throw new HubError("VALIDATION_ERROR", `this record is not a booking: ${describeIssues(booking.error)}`);
    if (booking.data.status === status) return record.payload;
    if (record.version !== version) {
      const message = `booking ${key} is at version ${record.version}, not ${version}`;
      throw new HubError("CONFLICT", message, { version: record.version });
    }
    const payload = { ...record.payload, status };
    const broken = brokenPluginCap(payload);
    if (broken !== null) throw new HubError("VALIDATION_ERROR", `with this status, the record is ${broken}`);
    return payload;
  });
}
