import { DAY_MS } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { BackOfficeError, isUnsent } from "./back-office-error.ts";
import type { BackOfficeClient } from "./client.ts";
import type { SessionStores } from "./session-stores.ts";
import type { Identity } from "./session-calls.ts";
import type { Answer, Caller } from "./transport.ts";

/** A user whom the back-office has confirmed, either recently or, while it is unreachable, earlier (`offline`). */
export interface Identified {
  identity: Identity;
  offline: boolean;
  /** The new token if the back-office has rotated the session. */
  newToken?: string;
}

/** Limits how often a peer may send unknown tokens that turn out to be invalid. */
export interface StrangerBudget {
  admits(peer: string): boolean;
  hasRemaining(peer: string): boolean;
  giveBack(peer: string): void;
}

/** Asks the back-office for the user of a session, and stores the answer. */
export function createConfirmations(
  deps: Pick<SessionStores, "time" | "store" | "ended" | "refusals" | "rotations" | "newest"> & {
    client: Pick<BackOfficeClient, "sessionInfo">;
    budget: StrangerBudget;
    /** Called with the digests of the token in question and of its successor, which may be the same. */
    onConfirmed(identity: Identity, digest: string, newDigest: string): void;
  },
) {
  const { time, client, store, ended, refusals, budget, rotations, newest, onConfirmed } = deps;
  /** Calls in progress, by digest. */
  const pendingByDigest = new Map<string, Promise<Identified>>();

  function recentIdentity(digest: string, maxAgeMs: number): Identity | null {
    const found = store.find(digest);
    if (found === null || ended.has(digest)) return null;
    // A confirmation in the future means that the clock was set back. That alone must not invalidate sessions.
    return Math.abs(time.latest() - found.confirmedAt) <= maxAgeMs ? found.identity : null;
  }

  /** Asks the back-office about a token. Concurrent calls for the same token share one request. */
  async function ask(token: string, peer: string, timeoutMs: number): Promise<Identified> {
    const digest = store.digestOf(token);
    if (ended.has(digest)) {
      ended.shown(digest, token);
      throw signedOut();
    }
    if (refusals.has(digest)) throw new BackOfficeError("session_dead", "it was refused a moment ago");
    const pending = pendingByDigest.get(digest);
    if (pending !== undefined) return pending;
    const isKnown = recentIdentity(digest, DAY_MS) !== null;
    // A peer without budget gets no place in the queue.
    if (!isKnown && !budget.hasRemaining(peer)) throw tooManyUnknown();
    const call = verify({ token, digest, peer, timeoutMs, isKnown }).finally(() => pendingByDigest.delete(digest));
    pendingByDigest.set(digest, call);
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
      // Charged when the call is sent, because many terminals with valid tokens may be waiting.
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
      // A missing answer is not the token's fault. An invalid answer may be, so it counts.
      else if (!isKnown && (isUnsent(reason) || reason === "timeout")) budget.giveBack(peer);
      throw error;
    }
  }

  async function adopt(token: string, digest: string, answer: Answer<Identity>): Promise<Identified> {
    const { value: identity, token: newToken } = answer;
    const newDigest = store.digestOf(newToken);
    if (ended.has(digest)) {
      // Signed out in the meantime: the new token of the back-office must end as well.
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

  return { recentIdentity, ask };
}

export function signedOut(): BackOfficeError {
  return new BackOfficeError("session_dead", "this session was signed out", { reason: "signed_out" });
}

function tooManyUnknown(): HubError {
  return new HubError("RATE_LIMITED", "too many unknown sessions from this address; wait a minute and try again");
}
