import { z } from "zod";

/** Four to eight digits. */
export const Pin = z.string().regex(/^\d{4,8}$/, "must be 4 to 8 digits");

/** A PIN as entered. Any text is accepted, because one with the wrong format counts as a wrong PIN. */
export const EnteredPin = z.string().min(1).max(64);

/** PUT /operator/v1/pin: sets the PIN of the signed-in user; a manager's needs at least 6 digits. */
export const SetPin = z.object({ pin: Pin });

/** PUT /terminal/v1/pin: a terminal's session also needs the password, unless it was opened with it moments ago. */
export const SetPinAtTerminal = SetPin.extend({ password: z.string().min(1).max(256).optional() });

/** How long after a sign-in with the password a PIN can be set without entering it again. */
export const PASSWORD_COUNTS_MS = 5 * 60_000;
