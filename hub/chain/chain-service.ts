import type { ChainStatus } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Recorder, Tx } from "../changes/change.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import { createTurns } from "../platform/turns.ts";
import { isoTime } from "../platform/world.ts";
import { type ChainLink, type ChainLinkDeps, createChainLink } from "./chain-link.ts";
import { createEnroller } from "./connection/enrol.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { FactRecorder } from "./source/record-facts.ts";
import type { FactStore } from "./source/fact-store.ts";
import type { ChainPlaceOfHub, LinkStore } from "./connection/link-store.ts";
import type { ProposalStore } from "./proposals/proposal-store.ts";
import type { ProposalTargets } from "./proposals/proposal-targets.ts";
import { createProposals } from "./proposals/proposals.ts";

interface ServiceDeps extends Omit<ChainLinkDeps, "onState" | "onProposals"> {
  links: LinkStore;
  proposalStore: ProposalStore;
  facts: Pick<FactStore, "record">;
  /** The current targets of proposals. */
  targets(): ProposalTargets;
  recorder: FactRecorder;
  time: Pick<TrustedTime, "now" | "onCorrected">;
  changes: Pick<ChangeLog, "write">;
  hub: { hubId: string; hubName: string; version: string };
  sharesCustomers: boolean;
  /** Writes to the audit log. */
  note(
    tx: Tx,
    userName: string,
    action: "chain.enrol" | "chain.leave" | "chain.accept" | "chain.decline",
    target: string,
  ): void;
  /** Called when the screens must read the state again. */
  onState(): void;
}

export type ChainService = ReturnType<typeof createChainService>;

/** Manages the hub's membership in a chain. Runs nothing while the hub belongs to none. */
export function createChainService(deps: ServiceDeps) {
  const { world, links, changes, proposalStore } = deps;
  const enrolAt = createEnroller(world, deps.hub, {
    seedFor: links.enrolmentSeed,
    keepSeed: (code, seed) => changes.write((tx) => links.keepEnrolment(code, seed, tx.now)),
  });
  let place: ChainPlaceOfHub | null = null;
  let link: ChainLink | null = null;
  let isStopped = false;
  /** Enrolling and leaving run one at a time: two at once would each start a link, and one of them could not be stopped. */
  const inTurn = createTurns();
  const proposals = createProposals({
    ...deps,
    store: proposalStore,
    nameOf: (by) => `${by} (${place?.enrolled.chainName ?? ""})`,
    read: async () => (await link?.desired()) ?? null,
  });

  function begin(): void {
    place = links.read();
    if (place?.seed == null || isStopped) return;
    link = createChainLink({ ...deps, onProposals: proposals.wake }, place.enrolled, Buffer.from(place.seed));
    link.start();
    proposals.start();
    void recordFact((tx) => deps.recorder.begin(tx, deps.hub.version));
  }

  function recordFact(record: (tx: Tx) => void): Promise<boolean> {
    return writeOrLog(deps, "a fact for headquarters could not be recorded", record);
  }

  deps.time.onCorrected((byMs) => {
    if (link !== null) void recordFact((tx) => deps.recorder.clockCorrected(tx, byMs));
  });

  async function end(): Promise<void> {
    const ending = link;
    link = null;
    await ending?.stop();
    await proposals.stop();
  }

  function status(): ChainStatus {
    const state = link?.state() ?? null;
    const publisher = state?.publisher ?? null;
    const confirmedUntil = publisher?.confirmedUntil ?? null;
    return {
      state: stateOf(place, state),
      since: state === null ? null : isoTime(state.connection.since),
      chainName: place?.enrolled.chainName ?? null,
      restaurantName: place?.enrolled.restaurantName ?? null,
      address: place?.address ?? null,
      enrolledAt: place === null ? null : isoTime(place.at),
      enrolledBy: place?.by ?? null,
      confirmedUntil: confirmedUntil === null ? null : isoTime(confirmedUntil),
      isCurrent: publisher?.isCurrent ?? false,
      stoppedSince: publisher?.stopped == null ? null : isoTime(publisher.stopped.since),
      full: publisher?.full ?? null,
      sharesCustomers: deps.sharesCustomers,
      allowsDiagnosis: deps.allowsDiagnosis,
    };
  }

  return {
    status,
    proposals: proposals.list,
    answerProposal: proposals.answer,

    /** Enrols with the key kept for the code. Replaces a membership in another chain. */
    enrol: (input: { address: string; code: string }, by: string): Promise<ChainStatus> =>
      inTurn(async () => {
        const made = await enrolAt(input);
        await changes.write((tx) => {
          links.save({ ...made, at: tx.now, by });
          // Those of the previous chain, if any. Headquarters send the current ones again.
          proposalStore.forgetOpen();
          deps.note(tx, by, "chain.enrol", made.enrolled.chainName);
        });
        world.log.info({ chain: made.enrolled.chainName, by }, "this hub belongs to a chain");
        await end();
        begin();
        return status();
      }),

    leave: (by: string): Promise<ChainStatus> =>
      inTurn(async () => {
        if (place === null) return status();
        const { chainName } = place.enrolled;
        await changes.write((tx) => {
          links.remove(tx.now);
          proposalStore.forgetOpen();
          deps.note(tx, by, "chain.leave", chainName);
        });
        world.log.info({ chain: chainName, by }, "this hub has left its chain");
        await end();
        place = null;
        return status();
      }),

    /** Records facts for headquarters in the transaction that caused them. */
    record: ((change, tx) => {
      if (link !== null) deps.recorder.record(change, tx);
    }) satisfies Recorder,
    /** Called after each commit. */
    follow: (): void => link?.wake(),
    start: begin,
    async stop(): Promise<void> {
      isStopped = true;
      if (link !== null) await recordFact(deps.recorder.end);
      await end();
    },
  };
}

function stateOf(place: ChainPlaceOfHub | null, state: ReturnType<ChainLink["state"]> | null): ChainStatus["state"] {
  if (place === null) return "off";
  if (state === null) return "locked";
  return state.publisher.isSuperseded ? "superseded" : state.connection.kind;
}
