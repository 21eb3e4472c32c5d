import { writeOrLog } from "../../changes/write-or-log.ts";
import { factsOf } from "../sign-in/admit-device.ts";
import type { TerminalDeps } from "../terminal-deps.ts";
import type { ActiveTerminal, TerminalSession } from "./terminal-session.ts";

export type RememberTerminal = ReturnType<typeof createTerminalMemory>;

/** Persists the facts about a terminal, for when it is not connected. */
export function createTerminalMemory(deps: Pick<TerminalDeps, "world" | "changes" | "terminalStore" | "people">) {
  return function remember(session: TerminalSession, active: ActiveTerminal): void {
    const { terminalId, actorToken } = active;
    const facts = factsOf(active, session.address, deps.world.clock.now());
    const work = (): void => {
      deps.terminalStore.update(facts);
      if (actorToken !== null) deps.people.renewToken(actorToken);
    };
    void writeOrLog(deps, "a terminal could not be remembered", work, { terminalId });
  };
}
