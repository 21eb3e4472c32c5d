import { z } from "zod";
import { noteText, plainText } from "../basics/fields.ts";
import { RefusedToken } from "../access/refused-token.ts";
import {
  CountedAmount,
  CountedMethod,
  DrawerReason,
  FloatOfCurrency,
  MovedAmount,
  MoveKind,
  TillId,
  TillState,
  UncountedMethod,
} from "../money/tills.ts";
import { errorCode, mutation, place, requestId, seq } from "./envelope.ts";

const shiftId = z.guid();

/** Opens a shift with the money in the drawer. The terminal generates `shiftId`. */
export const TillOpen = z.object({
  type: z.literal("TILL_OPEN"),
  ...mutation,
  tillId: TillId,
  shiftId,
  float: CountedAmount,
  floats: z.array(FloatOfCurrency).max(10).optional(),
});

export const TillMove = z.object({
  type: z.literal("TILL_MOVE"),
  ...mutation,
  shiftId,
  kind: MoveKind,
  amount: MovedAmount,
  reason: noteText(200).min(1),
  /** Tips paid out to `userName`. */
  cause: z.literal("tips").optional(),
  userName: plainText(120).min(1).optional(),
});

/** Closes a shift with a blind count: the counter has not seen the expected amounts. */
export const TillCount = z.object({
  type: z.literal("TILL_COUNT"),
  ...mutation,
  shiftId,
  counted: z.array(CountedMethod).max(50),
  note: noteText(500).optional(),
});

/** Opens the drawer without a sale. */
export const TillDrawer = z.object({
  type: z.literal("TILL_DRAWER"),
  ...mutation,
  tillId: TillId,
  reason: DrawerReason,
});

export const tillMutations = [TillOpen, TillMove, TillCount, TillDrawer] as const;

export const TillAck = z.object({
  type: z.literal("TILL_ACK"),
  requestId,
  mutationId: z.string(),
  tillId: z.string(),
  shiftId: z.string().optional(),
  seq,
  /** TILL_DRAWER: whether a drawer pulse was sent. False if no printer has a drawer, or if it was queued too long ago. */
  opensDrawer: z.boolean().optional(),
  duplicate: z.literal(true).optional(),
});

export const TillRejected = z.object({
  type: z.literal("TILL_REJECTED"),
  requestId,
  mutationId: z.string(),
  errorCode,
  error: z.string(),
  retryable: z.boolean(),
  refusedToken: RefusedToken.optional(),
  /** The hub has kept the change for a manager's decision. */
  kept: z.literal(true).optional(),
  /** VALIDATION_ERROR of a count: the methods it must also include, even those that are not accepted any more. */
  uncounted: z.array(UncountedMethod).optional(),
});

export const TillChanged = z.object({ type: z.literal("TILL_CHANGED"), ...place, till: TillState });
