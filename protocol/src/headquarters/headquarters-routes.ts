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
    session: route("GET", "/hq/v1/session", "public", { summary: "Who is signed in", answer: HqSession }),
    setUp: route("POST", "/hq/v1/setup", "public", {
      summary: "Makes the first owner, with the code from the program's log",
      body: HqSetup,
      answer: HqSession,
      status: 201,
      errors: ["CONFLICT"],
    }),
    signIn: route("POST", "/hq/v1/session", "public", { summary: "Signs in", body: HqSignIn, answer: HqSession }),
    signOut: route("DELETE", "/hq/v1/session", "public", { summary: "Signs out", answer: HqSession }),
    changePassword: route("POST", "/hq/v1/session/password", everybody, {
      summary: "Changes the own password, and signs out everywhere else",
      body: HqNewPassword,
      answer: Done,
    }),
    events: route("GET", "/hq/v1/events", everybody, {
      summary: "Names what to read again, at most once a second",
      stream: true,
    }),
    now: route("GET", "/hq/v1/now", everybody, { summary: "Every restaurant, in order of trouble", answer: HqNow }),
    sales: route("GET", "/hq/v1/sales", everybody, {
      summary: "Sums of what was paid, by hour, day, dish and restaurant",
      query: HqSalesQuery,
      answer: HqSales,
    }),
    alerts: route("GET", "/hq/v1/alerts", everybody, {
      summary: "What is wrong, and what was within a week",
      answer: HqAlerts,
    }),
    takeAlert: route("POST", "/hq/v1/alerts/:id/take", ["owner", "operations", "region"], {
      summary: "Says that somebody sees to it, or with `false` that nobody does any more",
      body: z.strictObject({ isTaken: z.boolean() }),
      answer: HqAlert,
      errors: ["CONFLICT"],
    }),
    groups: route("GET", "/hq/v1/groups", everybody, { summary: "The groups, by name", answer: HqGroups }),
    addRestaurant: route("POST", "/hq/v1/restaurants", steering, {
      summary: "Adds a restaurant, whose hub is enrolled next",
      body: HqNewRestaurant,
      answer: z.object({ id: RestaurantId }),
      status: 201,
    }),
    restaurant: route("GET", "/hq/v1/restaurants/:id", everybody, {
      summary: "One restaurant, as headquarters have it",
      answer: HqRestaurant,
    }),
    changeRestaurant: route("PATCH", "/hq/v1/restaurants/:id", steering, {
      summary: "Names it, puts it into groups, says whom to call there, or closes it for good",
      body: HqRestaurantChange,
      answer: Done,
    }),
    enrolmentCode: route("POST", "/hq/v1/restaurants/:id/enrolment-code", steering, {
      summary: "Makes the code that enrols a hub, in place of one that was made before",
      answer: HqEnrolmentCode,
      status: 201,
    }),
    cutHub: route("DELETE", "/hq/v1/restaurants/:id/hub", steering, {
      summary:
        "Cuts its hub, or only the one enrolled then, whose key is good for nothing any more: stolen, or given away",
      query: z.strictObject({ enrolledAt: HqInstant.optional() }),
      answer: Done,
      errors: ["CONFLICT"],
    }),
    check: route("GET", "/hq/v1/restaurants/:id/check", everybody, {
      summary: "A check, from its hub; where that does not answer, as headquarters have it",
      query: HqCheckQuery,
      answer: HqCheckDetail,
    }),
    doctor: route("GET", "/hq/v1/restaurants/:id/doctor", everybody, {
      summary: "Asks its hub for settings, data file and backups",
      answer: HqDoctor,
    }),
    logs: route("GET", "/hq/v1/restaurants/:id/logs", everybody, {
      summary: "Asks its hub for the last 500 lines of its log",
      answer: z.object({ lines: HqLogs }),
    }),
    people: route("GET", "/hq/v1/people", owners, {
      summary: "Who may sign in",
      answer: z.object({ people: z.array(HqPersonRow) }),
    }),
    addPerson: route("POST", "/hq/v1/people", owners, {
      summary: "Adds somebody",
      body: HqNewPerson,
      answer: HqPersonRow,
      status: 201,
      errors: ["CONFLICT"],
    }),
    changePerson: route("PATCH", "/hq/v1/people/:id", owners, {
      summary: "Changes somebody, who is signed out by it",
      body: HqPersonChange,
      answer: HqPersonRow,
      errors: ["CONFLICT"],
    }),
    products: route("GET", "/hq/v1/products", proposing, {
      summary: "Dishes that something can be proposed of",
      answer: HqProducts,
    }),
    proposals: route("GET", "/hq/v1/proposals", everybody, {
      summary: "The newest 100 proposals, and how far each is",
      answer: z.object({ proposals: z.array(HqProposalRow) }),
    }),
    proposal: route("GET", "/hq/v1/proposals/:id", everybody, {
      summary: "A proposal, and what became of it at each restaurant",
      answer: HqProposal,
    }),
    propose: route("POST", "/hq/v1/proposals", proposing, {
      summary: "Proposes something to restaurants",
      body: HqNewProposal,
      answer: z.object({ id: z.string() }),
      status: 201,
    }),
    undoProposal: route("POST", "/hq/v1/proposals/:id/undo", proposing, {
      summary: "Proposes what was there before, to those that have applied it",
      answer: z.object({ id: z.string() }),
      status: 201,
      errors: ["CONFLICT"],
    }),
    withdrawProposal: route("POST", "/hq/v1/proposals/:id/withdraw", proposing, {
      summary: "Takes it back from restaurants that have not applied it",
      answer: Done,
      errors: ["CONFLICT"],
    }),
    audit: route("GET", "/hq/v1/audit", owners, {
      summary: "Who did what, the newest 200",
      answer: z.object({ entries: z.array(HqAuditEntry) }),
    }),
  },
} as const satisfies { prefix: string; routes: Readonly<Record<string, HqRoute>> };

export type HqRoutes = typeof headquartersApi.routes;
