import { z } from "zod";
import { Proposal, ProposalState } from "../headquarters/proposals.ts";
import { plainText } from "../basics/fields.ts";
import { route } from "../http/http-route.ts";
import { Instant } from "./common.ts";

/**
 * How a hub stands with its chain's headquarters: `off` belongs to none, `locked` has no key any more (another PC), `refused`
 * has one that headquarters do not take, `superseded` was replaced by another history of this hub.
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
  /** Up to when headquarters have everything; null before they have anything. */
  confirmedUntil: Instant.nullable(),
  /** Everything that happened until now. */
  isCurrent: z.boolean(),
  /** Since when headquarters take nothing although they are connected. */
  stoppedSince: Instant.nullable(),
  /** What is sent of a first transfer of everything. */
  full: z.object({ sent: z.int(), of: z.int() }).nullable(),
  /** Whether the names, phones and tax ids of customers go with it, and whether headquarters may ask for the diagnosis. */
  sharesCustomers: z.boolean(),
  allowsDiagnosis: z.boolean(),
});
export type ChainStatus = z.infer<typeof ChainStatus>;

/** What headquarters show to whom they want to enrol. */
const EnrolInChain = z.strictObject({ address: plainText(300).min(1), code: plainText(40).min(1) });

/** What headquarters propose, and how far it is here. */
export const ProposalHere = z.object({
  proposal: Proposal,
  state: ProposalState,
  /** A manager is to decide. */
  isAsked: z.boolean(),
  /** When it became that. */
  since: Instant,
  decidedBy: z.string().nullable(),
  /** Why it was refused, as headquarters read it. */
  error: z.string().nullable(),
  /** Of each item: its name for people, what is here now, and whether that is what headquarters believe. */
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

/** GET /operator/v1/chain/proposals: what waits for a manager first, then the newest 50 others. */
export const ProposalsHere = z.object({ proposals: z.array(ProposalHere) });
export type ProposalsHere = z.infer<typeof ProposalsHere>;

/** A manager's answer to one that is asked. */
const DecideProposal = z.strictObject({ id: plainText(40).min(1), version: z.int().positive(), accept: z.boolean() });

export const chainRoutes = {
  chain: route("GET", "/operator/v1/chain", "manager", {
    summary: "Returns how the hub stands with its chain's headquarters.",
    answer: ChainStatus,
  }),
  enrolInChain: route("POST", "/operator/v1/chain", "manager", {
    needsConfirmation: true,
    summary: "Makes the hub one of a chain's, with a code that its headquarters have shown.",
    body: EnrolInChain,
    answer: ChainStatus,
    errors: ["FORBIDDEN", "UPSTREAM_UNAVAILABLE"],
  }),
  leaveChain: route("DELETE", "/operator/v1/chain", "manager", {
    needsConfirmation: true,
    summary: "Takes the hub out of its chain: nothing is sent to the headquarters any more.",
    answer: ChainStatus,
  }),
  chainProposals: route("GET", "/operator/v1/chain/proposals", "manager", {
    summary: "Lists what headquarters propose, those that wait for a manager first.",
    answer: ProposalsHere,
  }),
  decideProposal: route("POST", "/operator/v1/chain/proposals", "manager", {
    summary: "Accepts or declines what headquarters propose.",
    body: DecideProposal,
    answer: ProposalsHere,
    errors: ["NOT_FOUND", "CONFLICT"],
  }),
} as const;
