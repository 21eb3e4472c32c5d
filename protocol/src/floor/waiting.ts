import { z } from "zod";
import { IsoTime, plainText } from "../basics/fields.ts";
import { waitingDefaults } from "./guest-records.ts";

/** How long a waiting party is kept: no longer than an evening. */
export const WAITING_TTL_SECONDS = 12 * 60 * 60;

const details = {
  guestName: plainText(120).min(1),
  partySize: z.int().min(1).max(50),
  phone: plainText(40).optional(),
  /** The waiting time that the guests were promised. */
  quotedMinutes: z.int().min(0).max(480),
  status: z.enum(["waiting", "seated", "left"]).default(waitingDefaults.status),
};

/** The payload of a waiting party: guests without a booking, and since when they have been waiting. */
export const WaitingParty = z.looseObject({ ...details, since: IsoTime });
export type WaitingParty = z.infer<typeof WaitingParty>;

/** PUT /terminal/v1/waiting/:key. `version` is the version of the record that the person saw, or 0 for a new party. */
export const PutWaitingParty = z.object({ ...details, version: z.int().nonnegative() });
export type PutWaitingParty = z.infer<typeof PutWaitingParty>;
