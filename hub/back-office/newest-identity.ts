import type { Identity } from "./session-calls.ts";

/** What counts of each user: answers may overtake each other, so that of the question that was sent last. */
export function createNewestIdentity() {
  const newest = new Map<number, { question: number; identity: Identity }>();
  let questions = 0;
  return {
    /** The number of a question that is sent now. */
    question: (): number => (questions += 1),
    /** What counts of a user once this answer is there. */
    answered(identity: Identity, question: number): Identity {
      const known = newest.get(identity.userId);
      if (known !== undefined && known.question > question) return known.identity;
      newest.set(identity.userId, { question, identity });
      return identity;
    },
  };
}
