import { z } from "zod";
import { Proposal, ProposalState } from "../headquarters/proposals.ts";
import { plainText } from "../basics/fields.ts";
import { route } from "../http/http-route.ts";
import { Instant } from "./common.ts";

/**
 * The hub's connection to its chain's headquarters. `off`: it belongs to no chain. `locked`: its key cannot be read, as on
 * another PC. `refused`: headquarters reject its key. `superseded`: another history of this hub has replaced it.
 */
export const ChainLinkState = z.enum(["off", "locked", "connecting", "connected", "refused", "superseded"]);
export type ChainLinkState = z.infer<typeof ChainLinkState>;

/** GET /operator/v1/chain. */
export const ChainStatus = z.object({
  state: ChainLinkState,
  since: Instant.nullable(),
  chainName: z.string().nullable(),
  restaurantName: z.string().nullable(),
  address: z.string().nullable(),
  enrolledAt: Instant.nullable(),
  enrolledBy: z.string().nullable(),
  /** The time up to which headquarters have everything; null before they have any data. */
  confirmedUntil: Instant.nullable(),
  /** Headquarters have everything up to now. */
  isCurrent: z.boolean(),
  /** Since when headquarters accept no data although they are connected; null while they do. */
  stoppedSince: Instant.nullable(),
  /** Progress of the first full transfer; null if none is under way. */
  full: z.object({ sent: z.int(), of: z.int() }).nullable(),
  /** Whether customers' names, phones and tax ids are sent too, and whether headquarters may request the diagnosis. */
  sharesCustomers: z.boolean(),
  allowsDiagnosis: z.boolean(),
});
export type ChainStatus = z.infer<typeof ChainStatus>;

/** The address and the enrolment code that headquarters show. */
const EnrolInChain = z.strictObject({ address: plainText(300).min(1), code: plainText(40).min(1) });

/** A proposal of headquarters, and its state at this restaurant. */
export const ProposalHere = z.object({
  proposal: Proposal,
  state: ProposalState,
  /** A manager has to decide. */
  isAsked: z.boolean(),
  /** When it entered this state. */
  since: Instant,
  decidedBy: z.string().nullable(),
  /** Why it was refused, as sent to headquarters. */
  error: z.string().nullable(),
  /** Each item with its name for people and its current value; `differs` if that is not what headquarters expected. */
  items: z.array(
    z.object({
      key: z.string(),
      name: z.string().nullable(),
      want: z.unknown(),
      now: z.unknown(),
      differs: z.boolean(),
    }),
  ),
});
export type ProposalHere = z.infer<typeof ProposalHere>;

/** GET /operator/v1/chain/proposals: those waiting for a manager first, then the newest 50 of the rest. */
export const ProposalsHere = z.object({ proposals: z.array(ProposalHere) });
export type ProposalsHere = z.infer<typeof ProposalsHere>;

/** A manager's decision on a proposal. */
const DecideProposal = z.strictObject({ id: plainText(40).min(1), version: z.int().positive(), accept: z.boolean() });

export const chainRoutes = {
  chain: route("GET", "/operator/v1/chain", "manager", {
    summary: "Returns the state of the connection to the chain's headquarters.",
    answer: ChainStatus,
  }),
  enrolInChain: route("POST", "/operator/v1/chain", "manager", {
    needsConfirmation: true,
    summary: "Enrols the hub in a chain, with a code from its headquarters.",
    body: EnrolInChain,
    answer: ChainStatus,
    errors: ["FORBIDDEN", "UPSTREAM_UNAVAILABLE"],
  }),
  leaveChain: route("DELETE", "/operator/v1/chain", "manager", {
    needsConfirmation: true,
    summary: "Removes the hub from its chain. It sends no more data to headquarters.",
    answer: ChainStatus,
  }),
  chainProposals: route("GET", "/operator/v1/chain/proposals", "manager", {
    summary: "Lists the proposals of headquarters, those waiting for a manager first.",
    answer: ProposalsHere,
  }),
  decideProposal: route("POST", "/operator/v1/chain/proposals", "manager", {
    summary: "Accepts or declines a proposal of headquarters.",
    body: DecideProposal,
    answer: ProposalsHere,
    errors: ["NOT_FOUND", "CONFLICT"],
  }),
} as const;
