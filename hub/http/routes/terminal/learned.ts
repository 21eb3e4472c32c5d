import type { LearnedService } from "../../../learned/learned-service.ts";
import { Reply, type TerminalHandlers } from "../../handlers.ts";
import { etagOf, isNotModified } from "../../etag.ts";

/** Routes for what the hub has learned from the restaurant's history. */
export function terminalLearnedRoutes({ learned }: { learned: LearnedService }) {
  return {
    async learned({ ctx }) {
      const text = JSON.stringify(await learned.get());
      return isNotModified(ctx, etagOf(text)) ? new Reply(null, 304) : new Reply(text);
    },
  } satisfies Partial<TerminalHandlers>;
}
