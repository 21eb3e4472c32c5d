import { z } from "zod";

/** Four to eight digits. */
export const Pin = z.string().regex(/^\d{4,8}$/, "must be 4 to 8 digits");

/** A PIN as somebody enters it: any text, because one that cannot be a PIN is a wrong one. */
export const EnteredPin = z.string().min(1).max(64);

/** PUT /operator/v1/pin: the PIN of the signed-in user; a manager's has 6 digits or more. */
export const SetPin = z.object({ pin: Pin });

/** PUT /terminal/v1/pin: with a terminal's session also the password, unless it was opened with it a moment ago. */
export const SetPinAtTerminal = SetPin.extend({ password: z.string().min(1).max(256).optional() });

/** For so long after a sign-in with the password it is not asked for again to set a PIN. */
export const PASSWORD_COUNTS_MS = 5 * 60_000;
