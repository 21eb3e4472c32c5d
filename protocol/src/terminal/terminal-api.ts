import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { BackOfficeFloor } from "../back-office/floor-plan.ts";
import { CreditNoteAnswer } from "../back-office/fiscal-numbers.ts";
import { CreditCheckAnswer, CreditCheckRequest, Customer } from "../back-office/payments.ts";
import { PosConfig, Rounding } from "../back-office/bootstrap.ts";
import { BackOfficeUpdate } from "../desktop/update-manifest.ts";
import { DeviceId, IsoTime, plainText, PosReference, Role, SessionToken } from "../basics/fields.ts";
import { route, type HttpApi } from "../http/http-route.ts";
import { ItemState, Station } from "../orders/kitchen.ts";
import { Learned } from "../learned/learned.ts";
import { SignedOut } from "../operator/sign-in.ts";
import { PracticeStatus } from "../practice.ts";
import { paging, nextCursor } from "../operator/common.ts";
import { StoredOrder } from "../orders/orders.ts";
import { EnteredPin, SetPinAtTerminal } from "../access/pins.ts";
import { PluginRecord } from "../orders/plugins.ts";
import { PrintJobNews } from "../orders/printing.ts";
import { creditNoteErrors, RefundAnswer, RefundPayment, RefundRequest } from "../money/refunds.ts";
import { PutBooking } from "../floor/phone-bookings.ts";
import { SetBookingStatus } from "../floor/reservations.ts";
import { type TerminalRouteName, terminalPaths } from "./terminal-paths.ts";
import { PutWaitingParty } from "../floor/waiting.ts";

/** When the back-office last confirmed the data of an answer, ISO 8601. */
const asOf = IsoTime;

/** A person at a terminal, with the permissions last confirmed by the back-office. */
export const TerminalUser = z.object({
  id: z.union([z.int(), z.string()]),
  name: z.string(),
  role: Role,
  permissions: z.array(z.string()),
});
export type TerminalUser = z.infer<typeof TerminalUser>;

/** POST /terminal/v1/sign-in: a back-office account. Forwarded to the back-office, never stored. */
export const TerminalSignIn = z.object({ login: plainText(128).min(1), password: z.string().min(1).max(256) });

/** `token` is the back-office session, for AUTH and, as `Authorization: Bearer`, for these routes. */
export const TerminalSignedIn = z.object({ token: SessionToken, user: TerminalUser });

/** The key from the device's AUTH_OK. */
const deviceKey = z.string().min(1).max(128);

/** POST /terminal/v1/pin: identifies a person on this device. */
export const EnterPin = z.object({
  deviceKey,
  userId: z.union([
    z.int().nonnegative(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]),
  pin: EnteredPin,
  /** Requests a token that approves one mutation of another person, instead of one to act with. */
  for: z.literal("approval").optional(),
});

/** `actorToken` is this person's `actor` for mutations on this device, or the `approval` for another person's mutation. */
export const ActorGrant = z.object({ actorToken: z.string(), user: TerminalUser, expiresAt: IsoTime });

export const DeviceQuery = z.object({ deviceKey });

/** GET /terminal/v1/device-name: the name that a device wants to take. */
export const DeviceNameQuery = DeviceQuery.extend({ name: DeviceId });

/** GET /terminal/v1/unused-name: the name that a new device wants to take. */
export const UnusedNameQuery = z.object({ name: DeviceId });

/** The people who may use a PIN on this device, sorted by name. */
export const PinUsers = z.object({
  people: z.array(
    TerminalUser.omit({ permissions: true }).extend({
      /** This person may approve a refund, regardless of role. */
      mayRefund: z.literal(true).optional(),
    }),
  ),
});

/** The back-office's configuration, including unknown fields, with the hub's additions. */
export const Menu = PosConfig.omit({ floors: true, ncfSequences: true }).extend({
  rounding: Rounding,
  stations: z.array(Station),
  itemStates: z.array(ItemState),
  /** The types of fiscal numbers that a check may request; absent if the back-office does not report its sequences. */
  ncfTypes: z.array(z.string()).optional(),
  menuVersion: z.string(),
  asOf,
});
export type Menu = z.infer<typeof Menu>;

/** The floor plan with geometry, as the back-office has it. */
export const Floors = z.object({ floors: z.array(BackOfficeFloor), asOf });
export type Floors = z.infer<typeof Floors>;

export const CustomerQuery = z.object({
  /** Part of a name, phone or RNC; empty matches all. */
  q: z.string().trim().max(MAX_SEARCH).default(""),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/**
 * `source` is `kept` if the hub searched its recently seen customers, because the back-office could not be reached or
 * (`not_served`) has no search. `asOf` is null if it has seen none.
 */
export const FoundCustomers = z.object({
  customers: z.array(Customer),
  source: z.enum(["back_office", "kept"]),
  reason: z.enum(["unreachable", "not_served"]).optional(),
  asOf: asOf.nullable(),
});
export type FoundCustomers = z.infer<typeof FoundCustomers>;

/** Accepts the order's reference in the back-office's spelling or in the hub's. */
export const CreditNoteOf = z
  .object({
    pos_reference: PosReference.optional(),
    posReference: PosReference.optional(),
    /** The terminal that prints the note. */
    deviceKey: deviceKey.optional(),
    /** How the money is paid back; absent if not decided. */
    refund: z.union([RefundPayment, z.array(RefundPayment).min(1).max(20)]).optional(),
  })
  .refine((body) => (body.pos_reference ?? body.posReference) !== undefined, {
    path: ["pos_reference"],
    error: "must be present",
  });

/**
 * POST /terminal/v1/refunds. With PINs, `actor` is the token of the refunding person and `approval` that of a second person
 * with the permission. Both were issued on the device of `deviceKey`.
 */
export const RefundAtTerminal = RefundRequest.extend({
  posReference: PosReference,
  deviceKey: deviceKey.optional(),
  actor: z.string().min(1).max(128).optional(),
  approval: z.string().min(1).max(128).optional(),
});
export type RefundAtTerminal = z.infer<typeof RefundAtTerminal>;

/**
 * POST /terminal/v1/print. `parts`: number of parts that the bill is divided into. `station`: prints the slips of a check, or
 * of one of its tickets, again. `refundId`: the refund of the credit note; absent: the last one. With a PIN, `actor` is that
 * person's token on the device.
 */
export const PrintRequest = z.object({
  deviceKey,
  document: z.enum(["bill", "receipt", "credit-note", "station", "till"]),
  posReference: PosReference.optional(),
  kitchenTicketId: z.string().max(64).optional(),
  refundId: z.string().min(1).max(64).optional(),
  /** For `till`: the shift whose X is printed, or whose Z is printed again. */
  shiftId: z.guid().optional(),
  parts: z.int().min(2).max(50).optional(),
  actor: z.string().min(1).max(128).optional(),
});
export type PrintRequest = z.infer<typeof PrintRequest>;

/** The paid checks of this shift, newest first. */
export const RecentOrders = z.object({ orders: z.array(StoredOrder), nextCursor, asOf });
export type RecentOrders = z.infer<typeof RecentOrders>;

/** A session of the practice hub, whose routes answer below `/practice` and whose terminals connect to `/practice/`. */
export const PracticeEntry = z.object({
  token: SessionToken,
  user: TerminalUser,
  /** The PIN of every person in the practice. */
  pin: z.string(),
});
export type PracticeEntry = z.infer<typeof PracticeEntry>;

/** Identifies the hub; `hubId` and name are the same as in discovery. */
export const HubIdentity = z.object({ hubId: z.string(), name: z.string(), version: z.string() });

/** `version` is the installed app's, by semantic versioning. */
export const AndroidUpdateQuery = z.strictObject({ version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,64}$/) });
/** The release to download with the system's browser; null if there is none. */
export const AndroidUpdate = z.object({ update: BackOfficeUpdate.omit({ signature: true }).nullable() });
export type AndroidUpdate = z.infer<typeof AndroidUpdate>;

/** The device whose job it is, and the person acting there with a PIN. */
const PrintJobOf = z.object({ deviceKey, actor: z.string().min(1).max(128).optional() });

const refusals = "A refusal by the back-office is returned with its status, errorCode and message.";

/** The terminals' HTTP API, in addition to their connection. */
export const terminalApi = {
  prefix: "/terminal/v1",
  budgets: ["terminal"],
  routes: {
    hub: route(...terminalPaths.hub, "public", {
      summary: "Identifies the hub at this address, so that a client can verify the address before saving it.",
      answer: HubIdentity,
    }),
    androidUpdate: route(...terminalPaths.androidUpdate, "public", {
      summary:
        "Asks the back-office for a release of the Android app newer than this version. The app checks at its start, before anyone signs in.",
      query: AndroidUpdateQuery,
      answer: AndroidUpdate,
      answerSummary: "The newer release, or null.",
      errors: ["UPSTREAM_UNAVAILABLE"],
    }),
    signIn: route(...terminalPaths.signIn, "public", {
      summary:
        "Opens a back-office session for a user of any role. At this hub, the session is valid for terminals only.",
      body: TerminalSignIn,
      answer: TerminalSignedIn,
      errors: ["UPSTREAM_UNAVAILABLE"],
    }),
    signOut: route(...terminalPaths.signOut, "terminal", {
      summary: "Ends the back-office session of this token.",
      answer: SignedOut,
    }),
    menu: route(...terminalPaths.menu, "terminal", {
      summary:
        "Returns products, categories, taxes, payment methods, stations and sold-out products, as last read from the back-office. With the ETag of an earlier answer in If-None-Match, returns 304 if nothing has changed.",
      answer: Menu,
    }),
    floors: route(...terminalPaths.floors, "terminal", {
      summary: "Returns the floors with the layout of their tables, as last read from the back-office.",
      answer: Floors,
    }),
    learned: route(...terminalPaths.learned, "terminal", {
      summary:
        "Returns what the restaurant sells at each hour and how long its dishes take, based on the last four weeks. With the ETag of an earlier answer in If-None-Match, returns 304 if nothing has changed.",
      answer: Learned,
    }),
    customers: route(...terminalPaths.customers, "terminal", {
      summary: "Finds customers by name, phone or RNC. Without the back-office, searches the 500 most recently used.",
      query: CustomerQuery,
      answer: FoundCustomers,
    }),
    creditCheck: route(...terminalPaths.creditCheck, "terminal", {
      summary: `Asks the back-office whether a customer may buy on credit. ${refusals}`,
      body: CreditCheckRequest,
      answer: CreditCheckAnswer,
      errors: ["NOT_FOUND"],
    }),
    creditNote: route(...terminalPaths.creditNote, "terminal", {
      summary: `Requests a credit note from the back-office for a paid order with voided lines; it credits the lines that are not voided. ${refusals}`,
      body: CreditNoteOf,
      answer: CreditNoteAnswer,
      errors: ["NOT_FOUND", "SHIFT_CLOSED", ...creditNoteErrors],
    }),
    refund: route(...terminalPaths.refund, "terminal", {
      summary:
        "Refunds all or some lines of a paid check. The back-office issues the credit note. Repeating a `refundId` issues no second note; `pending` means that the back-office did not answer, and repeating the request returns the result. The person or an approver needs the permission `refund`.",
      body: RefundAtTerminal,
      answer: RefundAnswer,
      errors: [
        "ACTOR_REFUSED",
        "CONFIRMATION_NEEDED",
        "NOT_FOUND",
        "NO_ACTIVE_SESSION",
        "SHIFT_CLOSED",
        ...creditNoteErrors,
      ],
    }),
    printAgain: route(...terminalPaths.printAgain, "terminal", {
      summary:
        "Reprints a job of this terminal: as the original if nothing was sent to the printer, otherwise as a marked copy. Receipts need a cashier or manager. Returns PRINTING while the job is waiting or being printed.",
      body: PrintJobOf,
      answer: z.object({ job: PrintJobNews }),
      errors: ["PRINTING"],
    }),
    dismissPrintJob: route(...terminalPaths.dismissPrintJob, "terminal", {
      summary: "Dismisses a job of this terminal. Returns PRINTING while it is being printed.",
      body: PrintJobOf,
      answer: z.object({ job: PrintJobNews }),
      errors: ["PRINTING"],
    }),
    print: route(...terminalPaths.print, "terminal", {
      summary:
        "Prints a bill or a shift report, or reprints a receipt, a credit note or the slips of a check. Receipts, credit notes and shift reports need a cashier or manager. A reprinted receipt or credit note is a marked copy, or the original if it was never printed; a receipt printed as pending is printed once in full. A shift report shows a cashier no amounts before the shift is closed. A job that is still waiting is returned unchanged. Returns NOT_FOUND if neither the terminal nor the restaurant has a printer for the document.",
      body: PrintRequest,
      answer: z.object({ job: PrintJobNews }),
      status: 202,
      errors: ["ACTOR_REFUSED", "NOT_FOUND", "PRINTING"],
    }),
    recentOrders: route(...terminalPaths.recentOrders, "terminal", {
      summary: "Lists the paid checks of this shift, newest first.",
      query: z.object(paging),
      answer: RecentOrders,
    }),
    setBookingStatus: route(...terminalPaths.setBookingStatus, "terminal", {
      summary:
        "Sets the status of a booking: `seated`, `cancelled`, `no_show`, or `booked` if the guests are expected after all. The other fields of the record stay. Terminals receive it like a record posted by the integration, and the integration's next post replaces it. Returns CONFLICT with the record's `version` if both its version and its status differ from those in the request.",
      body: SetBookingStatus,
      answer: PluginRecord,
      errors: ["CONFLICT"],
    }),
    putBooking: route(...terminalPaths.putBooking, "terminal", {
      summary:
        "Stores a booking taken by phone, under a key generated by the terminal. It is a record of the plugin `reservations` with `source` `phone` and the person who took it (`takenBy`); the plugin need not be enabled. With the `version` of the record that the person saw, changes that booking, which keeps its `takenBy` and status. Returns CONFLICT if the key has a record with other content.",
      body: PutBooking,
      answer: PluginRecord,
      errors: ["CONFLICT", "LIMIT_REACHED"],
    }),
    putWaitingParty: route(...terminalPaths.putWaitingParty, "terminal", {
      summary:
        "Stores a party waiting for a table, under a key generated by the terminal, or changes it (`seated`, `left`). It is a record of the plugin `waiting`, sent to terminals like any other and kept for 12 h. Returns CONFLICT with the record's `version` (0 if there is none) if it differs from the one in the request.",
      body: PutWaitingParty,
      answer: PluginRecord,
      errors: ["CONFLICT", "LIMIT_REACHED"],
    }),
    enterPin: route(...terminalPaths.enterPin, "device", {
      summary:
        "Returns a token for a person who acts on this device with a PIN, valid for 12 h, or who approves one mutation (`for`). Works without the back-office.",
      body: EnterPin,
      answer: ActorGrant,
      errors: ["CONFIRMATION_NEEDED"],
    }),
    setPin: route(...terminalPaths.setPin, "terminal", {
      summary:
        "Sets the PIN of the signed-in user. A terminal's session also needs their password, or returns CONFIRMATION_NEEDED, unless it was opened with the password at most 5 minutes ago.",
      body: SetPinAtTerminal,
      answer: z.object({ set: z.literal(true) }),
      errors: ["CONFIRMATION_NEEDED", "UPSTREAM_UNAVAILABLE"],
    }),
    people: route(...terminalPaths.people, "device", {
      summary: "Lists the people who can use a PIN on this device.",
      query: DeviceQuery,
      answer: PinUsers,
    }),
    deviceName: route(...terminalPaths.deviceName, "device", {
      summary:
        "Returns whether this device can take a name, which no other known device may have. The device takes the name with its next AUTH (`renamed`).",
      query: DeviceNameQuery,
      answer: z.object({ isFree: z.boolean() }),
    }),
    unusedName: route(...terminalPaths.unusedName, "terminal", {
      summary: "Returns whether a name is unused by all known devices, for a new device before its first AUTH.",
      query: UnusedNameQuery,
      answer: z.object({ isFree: z.boolean() }),
    }),
    enterPractice: route(...terminalPaths.enterPractice, "terminal", {
      summary: "Lets the signed-in user practise on a copy of the restaurant. Starts the practice if none is running.",
      answer: PracticeEntry,
      errors: ["UPSTREAM_UNAVAILABLE"],
    }),
    resetPractice: route(...terminalPaths.resetPractice, "terminal", {
      summary: "Resets the practice for everyone in it and deletes everything done in it.",
      answer: PracticeStatus,
      errors: ["UPSTREAM_UNAVAILABLE"],
    }),
  },
} as const satisfies HttpApi & { routes: Record<TerminalRouteName, unknown> };
