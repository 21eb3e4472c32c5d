import type { ChangeLog } from "../../changes/change-log.ts";
import type { People } from "../../people/people.ts";
import type { World } from "../../platform/world.ts";
import { factsOf } from "../sign-in/admit-device.ts";
import type { TerminalStore } from "../terminal-store.ts";
import type { ActiveTerminal, TerminalSession } from "./terminal-session.ts";

export type RememberTerminal = ReturnType<typeof createTerminalMemory>;

/** Stores what is known of a terminal, for when it is not connected. */
export function createTerminalMemory({
  world,
  changes,
  terminalStore,
  people,
}: {
  world: World;
  changes: ChangeLog;
  terminalStore: TerminalStore;
  people: Pick<People, "renewToken">;
}) {
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
