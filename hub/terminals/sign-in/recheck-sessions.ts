import { isDeepStrictEqual } from "node:util";
import { CloseCode } from "@comanda/protocol";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identities } from "../../back-office/identities.ts";
import type { Identified } from "../../back-office/confirmations.ts";
import { HubError } from "../../platform/errors.ts";
import { createLoop, type Loop } from "../../platform/loop.ts";
import type { World } from "../../platform/world.ts";
import { AuthRefused } from "./auth-refused.ts";
import type { TerminalServer } from "../terminal-server.ts";
import type { ActiveTerminal, TerminalSession } from "../sessions/terminal-session.ts";

/** A session is checked after at least this share of the interval, so that checks spread out. */
const MIN_SHARE = 0.8;
const MAX_TICK_MS = 1_000;

/**
 * Checks every connected terminal's session at the back-office once per `everyMs`, one after the other. Ends a session that the
 * back-office has ended; a live one is accepted offline for another day. A check without an answer changes nothing. What the
 * back-office says about a user in any other session applies at once.
 */
export function createSessionRecheck(deps: {
  world: World;
  identities: Identities;
  terminals: Pick<TerminalServer, "connected" | "dismiss" | "send">;
  /** Called when the session's user has changed, for example their role, or is confirmed after an offline sign-in. */
  onChanged: (active: ActiveTerminal) => void;
  everyMs: number;
}): Pick<Loop, "start" | "stop"> {
  const { world, identities, terminals, onChanged, everyMs } = deps;
  const dueAt = new WeakMap<ActiveTerminal, number>();
  let isStopping = false;

  function schedule(active: ActiveTerminal): void {
    const chance = (world.random.bytes(1)[0] ?? 0) / 256;
    dueAt.set(active, world.clock.monotonic() + everyMs * (MIN_SHARE + chance * (1 - MIN_SHARE)));
  }

  async function checkDue(): Promise<void> {
    for (const { session, active } of terminals.connected()) {
      const due = dueAt.get(active);
      if (due === undefined) schedule(active);
      if (due === undefined || world.clock.monotonic() < due) continue;
      if (isStopping) return;
      schedule(active);
      // The empty token (HUB_DEV_AUTH) is not a back-office session of the terminal.
      if (active.token !== "" && isWorking(session)) await check(session, active);
    }
  }

  async function check(session: TerminalSession, active: ActiveTerminal): Promise<void> {
    try {
      const identified = await identities.identify(active.token, session.address);
      if (isWorking(session) && !identified.offline) update(session, active, identified);
    } catch (error) {
      // Too many checks are waiting; that says nothing about this session.
      if (error instanceof HubError) return;
      if (!(error instanceof BackOfficeError)) {
        world.log.error({ err: error, terminalId: active.terminalId }, "a terminal's session could not be checked");
      } else if (isWorking(session) && error.kind !== "unreachable") {
        end(session, `the back-office has ended this session: ${error.message}`);
      }
    }
  }

  function update(session: TerminalSession, active: ActiveTerminal, { identity, newToken }: Identified): void {
    if (identity.userId !== active.identity.userId) {
      end(session, `this session is ${identity.userName}'s now`);
      return;
    }
    if (active.offline || !isDeepStrictEqual(identity, active.identity)) {
      active.identity = identity;
      active.offline = false;
      onChanged(active);
    }
    if (newToken === undefined) return;
    active.token = newToken;
    terminals.send(session, { type: "TOKEN_CHANGED", token: newToken });
  }

  function end(session: TerminalSession, reason: string): void {
    terminals.dismiss(session, new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, reason));
  }

  // Applies to every terminal of the user, whichever session was checked.
  identities.onConfirmed((identity) => {
    for (const { active } of terminals.connected()) {
      if (active.identity.userId !== identity.userId || isDeepStrictEqual(identity, active.identity)) continue;
      active.identity = identity;
      onChanged(active);
    }
  });

  const loop = createLoop(world, "terminal sessions", Math.min(MAX_TICK_MS, everyMs / 4), checkDue);
  return {
    start: loop.start,
    stop() {
      isStopping = true;
      return loop.stop();
    },
  };
}

/** Whether the session is still active: it may have closed or been replaced during the check. */
function isWorking({ state, socket }: TerminalSession): boolean {
  return state.kind === "active" && socket.readyState === socket.OPEN;
}
