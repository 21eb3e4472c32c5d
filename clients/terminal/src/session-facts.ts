import {
  OFFERS_CAPABILITY,
  PROPOSALS_CAPABILITY,
  type HubMessageOf,
  type PosSession,
  type PrintJobNews,
} from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { HubStatus, SignedIn, TerminalEvents } from "./terminal-interface.ts";

/** Session data from the hub: signed-in user, register session, menu version, durations. */
export function createSessionFacts(deps: {
  emitter: Emitter<TerminalEvents>;
  keepSession: (session: PosSession) => void;
}) {
  const { emitter, keepSession } = deps;
  let signedIn: SignedIn | null = null;
  let session: PosSession | null = null;
  let hubStatus: HubStatus | null = null;
  let printJobs: readonly PrintJobNews[] = [];
  let menuVersion: string | null = null;
  let leaseTtlMs = 60_000;
  let takeBackMs = 30_000;
  /** Whether the hub accepts ORDER_OFFER from its own history, and from other hubs'. */
  const takesOffers = { own: false, others: false };
  function showPrintJobs(jobs: readonly PrintJobNews[]): void {
    if (jobs.length === 0 && printJobs.length === 0) return;
    printJobs = jobs;
    emitter.emit("printJobs", printJobs);
  }

  return {
    signedIn: () => signedIn,
    session: () => session,
    hubStatus: () => hubStatus,
    printJobs: () => printJobs,
    leaseTtlMs: () => leaseTtlMs,
    takeBackMs: () => takeBackMs,
    takesOffers: (whose: "own" | "others") => takesOffers[whose],
    /** Stores the data of a sign-in. The caller emits it. */
    authenticated(answer: HubMessageOf<"AUTH_OK">): void {
      const { terminalId, user, minClientVersion, offline, caps } = answer;
      ({ leaseTtlMs, takeBackMs = takeBackMs } = answer);
      signedIn = { terminalId, user, minClientVersion, offline };
      takesOffers.own = caps.includes(OFFERS_CAPABILITY);
      takesOffers.others = caps.includes(PROPOSALS_CAPABILITY);
    },
    restored(saved: PosSession | null): void {
      session = saved;
    },
    sessionChanged(newSession: PosSession): void {
      session = newSession;
      keepSession(newSession);
      emitter.emit("session", newSession);
    },
    menuChanged(version: string | null): void {
      if (version === menuVersion) return;
      menuVersion = version;
      emitter.emit("menuVersion", version);
    },
    /** Updates a print job of this terminal. Only jobs that need attention are kept. */
    printChanged(job: PrintJobNews): void {
      const others = printJobs.filter(({ id }) => id !== job.id);
      const isTrouble = job.error !== undefined && job.settled !== true && job.state !== "printed";
      showPrintJobs(isTrouble ? [...others, job] : others);
    },
    printJobsRead: showPrintJobs,
    statusChanged(message: HubMessageOf<"HUB_STATUS">): void {
      const { type: _, ...status } = message;
      hubStatus = status;
      emitter.emit("hubStatus", status);
    },
  };
}

export type SessionFacts = ReturnType<typeof createSessionFacts>;
