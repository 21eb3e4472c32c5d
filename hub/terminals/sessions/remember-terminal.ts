import { factsOf } from "../sign-in/admit-device.ts";
import type { TerminalDeps } from "../terminal-deps.ts";
import type { ActiveTerminal, TerminalSession } from "./terminal-session.ts";

export type RememberTerminal = ReturnType<typeof createTerminalMemory>;

/** Stores what is known of a terminal, for when it is not connected. */
export function createTerminalMemory({
  world,
  changes,
  terminalStore,
  people,
}: Pick<TerminalDeps, "world" | "changes" | "terminalStore" | "people">) {
  return function remember(session: TerminalSession, active: ActiveTerminal): void {
    const facts = factsOf(active, session.address, world.clock.now());
    changes
      .write(() => {
        terminalStore.update(facts);
        if (active.actorToken !== null) people.renewToken(active.actorToken);
      })
      .catch((error: unknown) => {
        world.log.error({ err: error, terminalId: active.terminalId }, "a terminal could not be remembered");
      });
  };
}
