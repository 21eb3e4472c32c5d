import { z } from "zod";
import { Deleted, route } from "../http/http-route.ts";
import { Instant } from "./common.ts";
import { OperatorUser } from "./sign-in.ts";

/** A person who may use a PIN at this hub's terminals. */
export const PinHolder = OperatorUser.extend({
  pinSetAt: Instant,
  /** The PIN has fewer digits than this person's role now requires, so a longer one has to be set. */
  tooShort: z.literal(true).optional(),
  /** Set after 20 wrong PINs within an hour over all devices. */
  passwordOnlyUntil: Instant.optional(),
  /** The terminals on which wrong PINs have locked this person. */
  locked: z.array(z.object({ terminalId: z.string(), until: Instant })),
});
export type PinHolder = z.infer<typeof PinHolder>;

export const peopleRoutes = {
  people: route("GET", "/operator/v1/people", "manager", {
    summary: "Lists the people who can use a PIN, by name.",
    answer: z.object({ people: z.array(PinHolder) }),
  }),
  resetPin: route("DELETE", "/operator/v1/people/:userId/pin", "manager", {
    summary:
      "Removes a person's PIN. Changes made with it stay. The person sets a new PIN after signing in with the password.",
    answer: Deleted,
  }),
};
