import type { History } from "../../history/history.ts";
import { Reply, type TerminalHandlers } from "../handlers.ts";
import { etagOf, isKnownAnswer } from "../known-answer.ts";

/** What the house has learned from its own history. */
export function terminalLearnedRoutes({ history }: { history: History }) {
  return {
    async learned({ ctx }) {
      const text = JSON.stringify(await history.learned());
      return isKnownAnswer(ctx, etagOf(text)) ? new Reply(null, 304) : new Reply(text);
    },
  } satisfies Partial<TerminalHandlers>;
}
