import { z } from "zod";
import { errorCodes } from "../http/errors.ts";
import { IsoTime, plainText } from "../basics/fields.ts";

export const requestId = plainText(64).optional();
export const errorCode = z.enum(errorCodes);
export const seq = z.int().nonnegative();
/** The hub's signature of a position in its history. Sent back in `since`, it proves that the hub had reached that position. */
export const signature = z.string().max(64).optional();
/** The position that every change of the shared state carries. Only the last change of a commit is signed. */
export const place = { seq, signature };

/** Identifies the acting person; issued by the hub at sign-in, or for a PIN. */
const actorToken = plainText(512).min(1);
/**
 * The acting and the approving person. Without `actor`, the signed-in user acts. `approval` is the token of a second person,
 * whose rights apply too.
 */
export const signedBy = { actor: actorToken.optional(), approval: actorToken.optional() };

/** The fields of every mutation. `queuedAt` is when the terminal added it to its outbox. */
export const mutation = {
  requestId,
  mutationId: z.guid(),
  queuedAt: IsoTime.optional(),
  ...signedBy,
};
