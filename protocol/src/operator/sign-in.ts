import { z } from "zod";
import { route } from "../http/http-route.ts";
import { plainText, Role, SessionToken } from "../basics/fields.ts";
import { EnteredPin, SetPin } from "../access/pins.ts";
import { Instant } from "./common.ts";

/** POST /operator/v1/sign-in: a back-office account. Forwarded to the back-office, never stored. */
export const SignIn = z.strictObject({ login: plainText(128).min(1), password: z.string().min(1).max(256) });

export const OperatorUser = z.object({
  id: z.union([z.int(), z.string()]),
  name: z.string(),
  role: Role,
  /** What the back-office allows this user, for example `refund`. Present in the answers of the sign-ins and `me`. */
  permissions: z.array(z.string()).readonly().optional(),
});
export type OperatorUser = z.infer<typeof OperatorUser>;

/** POST /operator/v1/sign-in/pin: a person's back-office login or name, and the PIN that they have set at this hub. */
export const PinSignIn = z.strictObject({ login: plainText(128).min(1), pin: EnteredPin });

/** When a session opened with a PIN ends at the latest. */
const pinUntil = Instant.optional();

/** `token`: the back-office session id, or the hub's own for a PIN; sent as `Authorization: Bearer`. Only managers get one. */
export const SignedIn = z.object({ token: SessionToken, user: OperatorUser, pinUntil });
export type SignedIn = z.infer<typeof SignedIn>;

/**
 * GET /operator/v1/me. `token` is set if the back-office has rotated the session; the client uses it from then on. `hasPin`:
 * this manager has set a PIN at this hub.
 */
export const Me = z.object({
  user: OperatorUser,
  token: SessionToken.optional(),
  pinUntil,
  hasPin: z.literal(true).optional(),
});

/**
 * POST /operator/v1/sign-out: the hub rejects this session from now on. `backOffice: "pending"`: the back-office could not end
 * the session yet, and the hub retries.
 */
export const SignedOut = z.object({ signedOut: z.literal(true), backOffice: z.literal("pending").optional() });

export const signInRoutes = {
  signIn: route("POST", "/operator/v1/sign-in", "public", {
    summary: "Signs a manager in with a back-office account.",
    body: SignIn,
    answer: SignedIn,
    errors: ["FORBIDDEN", "UPSTREAM_UNAVAILABLE"],
  }),
  signInWithPin: route("POST", "/operator/v1/sign-in/pin", "public", {
    summary:
      "Signs a manager in with a PIN while the back-office cannot be reached. The session lasts at most 12 h and cannot use routes that need a confirmation by the back-office.",
    body: PinSignIn,
    answer: SignedIn,
    errors: ["FORBIDDEN", "CONFIRMATION_NEEDED", "UPSTREAM_UNAVAILABLE"],
  }),
  setPin: route("PUT", "/operator/v1/pin", "manager", {
    needsConfirmation: true,
    summary: "Sets the manager's PIN, for terminals and for signing in here while the back-office cannot be reached.",
    body: SetPin,
    answer: z.object({ set: z.literal(true) }),
  }),
  signOut: route("POST", "/operator/v1/sign-out", "manager", {
    summary: "Ends the session of this token, also at the back-office.",
    answer: SignedOut,
  }),
  me: route("GET", "/operator/v1/me", "manager", {
    summary: "Returns the manager this token belongs to.",
    answer: Me,
  }),
};
