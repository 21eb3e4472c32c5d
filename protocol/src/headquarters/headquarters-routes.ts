import { z } from "zod";
import { RestaurantId } from "./chain.ts";
import {
  HqAlert,
  HqAlerts,
  HqAuditEntry,
  HqCheckDetail,
  HqCheckQuery,
  HqDoctor,
  HqEnrolmentCode,
  HqGroups,
  HqInstant,
  HqLogs,
  HqNewPassword,
  HqNewPerson,
  HqNewProposal,
  HqNewRestaurant,
  HqNow,
  HqPersonChange,
  HqPersonRow,
  HqProducts,
  HqProposal,
  HqProposalRow,
  HqRestaurant,
  HqRestaurantChange,
  type HqRole,
  HqSales,
  HqSalesQuery,
  HqSession,
  HqSetup,
  HqSignIn,
} from "./headquarters.ts";
import { type HttpRoute, route } from "../http/http-route.ts";

/** A route of headquarters: like a route of the hub, except for `access`. */
export interface HqRoute extends Omit<
  HttpRoute,
  "access" | "needsConfirmation" | "isBodyOptional" | "otherAnswer" | "file" | "optional"
> {
  access: "public" | readonly HqRole[];
}

const everybody = ["owner", "operations", "region", "support"] as const;
const steering = ["owner", "operations"] as const;
/** A `region` may propose too, but only `steering` may propose settings. */
const proposing = ["owner", "operations", "region"] as const;
const owners = ["owner"] as const;

const Done = z.object({ done: z.literal(true) });

/** The API of headquarters. A `region` sees only the part of each answer that concerns its groups. */
export const headquartersApi = {
  prefix: "/hq/v1",
  routes: {
    session: route("GET", "/hq/v1/session", "public", { summary: "Returns who is signed in.", answer: HqSession }),
    setUp: route("POST", "/hq/v1/setup", "public", {
      summary: "Creates the first owner, with the code from the program's log.",
      body: HqSetup,
      answer: HqSession,
      status: 201,
      errors: ["CONFLICT"],
    }),
    signIn: route("POST", "/hq/v1/session", "public", {
      summary: "Signs a user in.",
      body: HqSignIn,
      answer: HqSession,
    }),
    signOut: route("DELETE", "/hq/v1/session", "public", { summary: "Signs the user out.", answer: HqSession }),
    changePassword: route("POST", "/hq/v1/session/password", everybody, {
      summary: "Changes the signed-in user's password and ends their other sessions.",
      body: HqNewPassword,
      answer: Done,
    }),
    events: route("GET", "/hq/v1/events", everybody, {
      summary: "Streams which data has changed, at most once per second.",
      stream: true,
    }),
    now: route("GET", "/hq/v1/now", everybody, {
      summary: "Returns all restaurants, those with the most serious problems first.",
      answer: HqNow,
    }),
    sales: route("GET", "/hq/v1/sales", everybody, {
      summary: "Returns the totals of paid checks by hour, day, dish and restaurant.",
      query: HqSalesQuery,
      answer: HqSales,
    }),
    alerts: route("GET", "/hq/v1/alerts", everybody, {
      summary: "Returns open alerts, and those cleared within the last week.",
      answer: HqAlerts,
    }),
    takeAlert: route("POST", "/hq/v1/alerts/:id/take", ["owner", "operations", "region"], {
      summary: "Assigns an alert to the signed-in user; `false` removes the assignment.",
      body: z.strictObject({ isTaken: z.boolean() }),
      answer: HqAlert,
      errors: ["CONFLICT"],
    }),
    groups: route("GET", "/hq/v1/groups", everybody, { summary: "Lists the groups, by name.", answer: HqGroups }),
    addRestaurant: route("POST", "/hq/v1/restaurants", steering, {
      summary: "Adds a restaurant. Its hub is enrolled afterwards.",
      body: HqNewRestaurant,
      answer: z.object({ id: RestaurantId }),
      status: 201,
    }),
    restaurant: route("GET", "/hq/v1/restaurants/:id", everybody, {
      summary: "Returns one restaurant with the data that headquarters have.",
      answer: HqRestaurant,
    }),
    changeRestaurant: route("PATCH", "/hq/v1/restaurants/:id", steering, {
      summary: "Changes a restaurant's name, groups or contact, or closes it permanently.",
      body: HqRestaurantChange,
      answer: Done,
    }),
    enrolmentCode: route("POST", "/hq/v1/restaurants/:id/enrolment-code", steering, {
      summary: "Creates an enrolment code for the restaurant's hub; an earlier code becomes invalid.",
      answer: HqEnrolmentCode,
      status: 201,
    }),
    cutHub: route("DELETE", "/hq/v1/restaurants/:id/hub", steering, {
      summary:
        "Revokes the key of the restaurant's hub, for example after a theft. With `enrolledAt`, only if the hub was enrolled at that time.",
      query: z.strictObject({ enrolledAt: HqInstant.optional() }),
      answer: Done,
      errors: ["CONFLICT"],
    }),
    check: route("GET", "/hq/v1/restaurants/:id/check", everybody, {
      summary: "Returns a check from its hub or, if the hub does not answer, from the data that headquarters have.",
      query: HqCheckQuery,
      answer: HqCheckDetail,
    }),
    doctor: route("GET", "/hq/v1/restaurants/:id/doctor", everybody, {
      summary: "Returns the hub's report on its settings, data file and backups.",
      answer: HqDoctor,
    }),
    logs: route("GET", "/hq/v1/restaurants/:id/logs", everybody, {
      summary: "Returns the last 500 lines of the hub's log.",
      answer: z.object({ lines: HqLogs }),
    }),
    people: route("GET", "/hq/v1/people", owners, {
      summary: "Lists the users who may sign in.",
      answer: z.object({ people: z.array(HqPersonRow) }),
    }),
    addPerson: route("POST", "/hq/v1/people", owners, {
      summary: "Adds a user.",
      body: HqNewPerson,
      answer: HqPersonRow,
      status: 201,
      errors: ["CONFLICT"],
    }),
    changePerson: route("PATCH", "/hq/v1/people/:id", owners, {
      summary: "Changes a user and ends their sessions.",
      body: HqPersonChange,
      answer: HqPersonRow,
      errors: ["CONFLICT"],
    }),
    products: route("GET", "/hq/v1/products", proposing, {
      summary: "Lists the dishes that a proposal can change.",
      answer: HqProducts,
    }),
    proposals: route("GET", "/hq/v1/proposals", everybody, {
      summary: "Lists the newest 100 proposals with their progress.",
      answer: z.object({ proposals: z.array(HqProposalRow) }),
    }),
    proposal: route("GET", "/hq/v1/proposals/:id", everybody, {
      summary: "Returns a proposal with its result at each restaurant.",
      answer: HqProposal,
    }),
    propose: route("POST", "/hq/v1/proposals", proposing, {
      summary: "Creates a proposal for restaurants.",
      body: HqNewProposal,
      answer: z.object({ id: z.string() }),
      status: 201,
    }),
    undoProposal: route("POST", "/hq/v1/proposals/:id/undo", proposing, {
      summary: "Creates a proposal that restores the previous values at the restaurants that have applied this one.",
      answer: z.object({ id: z.string() }),
      status: 201,
      errors: ["CONFLICT"],
    }),
    withdrawProposal: route("POST", "/hq/v1/proposals/:id/withdraw", proposing, {
      summary: "Withdraws a proposal from restaurants that have not applied it.",
      answer: Done,
      errors: ["CONFLICT"],
    }),
    audit: route("GET", "/hq/v1/audit", owners, {
      summary: "Lists the newest 200 entries of the audit log.",
      answer: z.object({ entries: z.array(HqAuditEntry) }),
    }),
  },
} as const satisfies { prefix: string; routes: Readonly<Record<string, HqRoute>> };

export type HqRoutes = typeof headquartersApi.routes;
