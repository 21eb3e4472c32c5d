import { z } from "zod";
import { errorCodes } from "../http/errors.ts";
import { IsoTime, plainText } from "../basics/fields.ts";

export const requestId = plainText(64).optional();
export const errorCode = z.enum(errorCodes);
export const seq = z.int().nonnegative();
/** The hub's signature of a place in its history: returned with it (`since`), it proves that the hub had come so far. */
export const signature = z.string().max(64).optional();
/** What each change of the shared state carries; the last one of a commit is signed. */
export const place = { seq, signature };

/** Proves who acts: given by the hub at sign-in, or for a PIN. */
const actorToken = plainText(512).min(1);
/**
 * Who acts, and who approves. Without an `actor` it is the signed-in user; `approval` is the token of a second person, whose
 * rights count too.
 */
export const signedBy = { actor: actorToken.optional(), approval: actorToken.optional() };

/** What every mutation carries; `queuedAt` is when the terminal put it into its outbox. */
export const mutation = {
  requestId,
  mutationId: z.guid(),
  queuedAt: IsoTime.optional(),
  ...signedBy,
};
