import { DAY_MS } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { BackOfficeError, isUnsent } from "./back-office-error.ts";
import type { BackOfficeClient } from "./client.ts";
import type { HeldSessions } from "./held-sessions.ts";
import type { Identity } from "./session-calls.ts";
import type { Answer, Caller } from "./transport.ts";

/** A user whom the back-office has confirmed: just now, or earlier (`offline`). */
export interface Identified {
  identity: Identity;
  offline: boolean;
  /** Set when the back-office has rotated the session: the token to use from now on. */
  newToken?: string;
}

/** How often a peer may ask about a session that turns out to be none. */
export interface StrangerBudget {
  admits(peer: string): boolean;
  hasLeft(peer: string): boolean;
  giveBack(peer: string): void;
}

/** Has the back-office confirm whose a session is, and remembers that. */
export function createConfirmations(
  deps: Pick<HeldSessions, "time" | "store" | "ended" | "refusals" | "rotations" | "newest"> & {
    client: Pick<BackOfficeClient, "sessionInfo">;
    budget: StrangerBudget;
    /** Called with the digests of the token that was asked about and of the one to use from now on. */
    onConfirmed(identity: Identity, digest: string, newDigest: string): void;
  },
) {
  const { time, client, store, ended, refusals, budget, rotations, newest, onConfirmed } = deps;
  /** The calls under way, by digest. */
  const asking = new Map<string, Promise<Identified>>();

  function known(digest: string, maxAgeMs: number): Identity | null {
    const found = store.find(digest);
    if (found === null || ended.has(digest)) return null;
    // A confirmation from the future means that the clock was put back, which alone must not stop the restaurant.
    return Math.abs(time.latest() - found.confirmedAt) <= maxAgeMs ? found.identity : null;
  }

  /** Asks the back-office about a token; calls about the same token at the same time are one. */
  async function ask(token: string, peer: string, timeoutMs: number): Promise<Identified> {
    const digest = store.digestOf(token);
    if (ended.has(digest)) {
      ended.shown(digest, token);
      throw signedOut();
    }
    if (refusals.has(digest)) throw new BackOfficeError("session_dead", "it was refused a moment ago");
    const underWay = asking.get(digest);
    if (underWay !== undefined) return underWay;
    const isKnown = known(digest, DAY_MS) !== null;
    // A flood gets no place in the queue.
    if (!isKnown && !budget.hasLeft(peer)) throw tooManyUnknown();
    const call = verify({ token, digest, peer, timeoutMs, isKnown }).finally(() => asking.delete(digest));
    asking.set(digest, call);
    return call;
  }

  async function verify(question: {
    token: string;
    digest: string;
    peer: string;
    timeoutMs: number;
    isKnown: boolean;
  }): Promise<Identified> {
    const { token, digest, peer, timeoutMs, isKnown } = question;
    let sent = 0;
    const onTurn = (): void => {
      // Charged when the call is sent: many terminals with good tokens may be waiting.
      if (!isKnown && !budget.admits(peer)) throw tooManyUnknown();
      sent = newest.question();
    };
    const caller: Caller = { lane: isKnown ? "known" : "strangers", peer, onTurn };
    try {
      const answer = await client.sessionInfo(token, { caller, timeoutMs });
      if (!isKnown) budget.giveBack(peer);
      return await adopt(token, digest, { ...answer, value: newest.answered(answer.value, sent) });
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      const { kind, reason } = error;
      const isRefused = kind !== "unreachable";
      if (isKnown && isRefused) store.removeRefused(digest);
      else if (isRefused) refusals.note(digest);
      // No answer is not the token's fault; an answer that makes no sense may be, and counts.
      else if (!isKnown && (isUnsent(reason) || reason === "timeout")) budget.giveBack(peer);
      throw error;
    }
  }

  async function adopt(token: string, digest: string, answer: Answer<Identity>): Promise<Identified> {
    const { value: identity, token: newToken } = answer;
    const newDigest = store.digestOf(newToken);
    if (ended.has(digest)) {
      // Signed out meanwhile: the token that the back-office gave in its place ends as well.
      await ended.add(new Map([[newDigest, newToken]]), [], () => {});
      throw signedOut();
    }
    const now = time.latest();
    store.save(digest, identity, now);
    onConfirmed(identity, digest, newDigest);
    if (newToken === token) return { identity, offline: false };
    store.save(newDigest, identity, now, store.sessionOf(digest));
    rotations.add(token, newToken);
    return { identity, offline: false, newToken };
  }

  return { known, ask };
}

export function signedOut(): BackOfficeError {
  return new BackOfficeError("session_dead", "this session was signed out", { reason: "signed_out" });
}

function tooManyUnknown(): HubError {
  return new HubError("RATE_LIMITED", "too many unknown sessions from this address; wait a minute and try again");
}
