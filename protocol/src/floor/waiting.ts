import { z } from "zod";
import { IsoTime, plainText } from "../basics/fields.ts";
import { waitingDefaults } from "./guest-records.ts";

/** For so long a party is kept: no longer than an evening. */
export const WAITING_TTL_SECONDS = 12 * 60 * 60;

const details = {
  guestName: plainText(120).min(1),
  partySize: z.int().min(1).max(50),
  phone: plainText(40).optional(),
  /** The waiting time that they were promised. */
  quotedMinutes: z.int().min(0).max(480),
  status: z.enum(["waiting", "seated", "left"]).default(waitingDefaults.status),
};

/** The payload of a record: guests without a booking who wait for a table, since when. */
export const WaitingParty = z.looseObject({ ...details, since: IsoTime });
export type WaitingParty = z.infer<typeof WaitingParty>;

/** PUT /terminal/v1/waiting/:key. `version` is that of the record which the person saw; 0 for a party that has just come. */
export const PutWaitingParty = z.object({ ...details, version: z.int().nonnegative() });
export type PutWaitingParty = z.infer<typeof PutWaitingParty>;
