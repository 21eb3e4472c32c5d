import { z } from "zod";

/** Four to eight digits. */
export const Pin = z.string().regex(/^\d{4,8}$/, "must be 4 to 8 digits");

/** A PIN as somebody enters it: any text, because one that cannot be a PIN is a wrong one. */
export const EnteredPin = z.string().min(1).max(64);

/** PUT /terminal/v1/pin and /operator/v1/pin: the PIN of whoever is signed in. */
export const SetPin = z.object({ pin: Pin });
