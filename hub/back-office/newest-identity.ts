import type { Identity } from "./session-calls.ts";

/** Keeps the identity from the latest request for each user, since answers may arrive out of order. */
export function createNewestIdentity() {
  const newest = new Map<number, { question: number; identity: Identity }>();
  let questions = 0;
  return {
    /** Returns the number of a request that is sent now. */
    question: (): number => (questions += 1),
    /** Records an answer and returns the user's newest identity. */
    answered(identity: Identity, question: number): Identity {
      const previous = newest.get(identity.userId);
      if (previous !== undefined && previous.question > question) return previous.identity;
      newest.set(identity.userId, { question, identity });
      return identity;
    },
  };
}
