import { hubLimits } from "@comanda/protocol";
import type { Broadcaster } from "./broadcasts/broadcaster.ts";
import { handleMessage, type MessageDeps, refusalOf } from "./messages/handle-message.ts";
import { echoOf, readMessage } from "./messages/read-message.ts";
import { holdBack, refuseFrame } from "./sessions/early-messages.ts";
import type { SessionEndings } from "./sessions/end-sessions.ts";
import type { ActiveTerminal, TerminalSession } from "./sessions/terminal-session.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import type { SyncSender } from "./sync/sync-sender.ts";

/** Handles an incoming message by session state: signs the terminal in, defers the message, or executes and answers it. */
export function createMessageReceiver(
  deps: MessageDeps & { signIn: SignIn; syncs: SyncSender; broadcaster: Broadcaster; endings: SessionEndings },
) {
  const { world, signIn, syncs, broadcaster, endings } = deps;

  return receive;

  function receive(session: TerminalSession, text: string, authTimer: NodeJS.Timeout): void {
    // No answer can be sent once the close has begun; the sender still has its message.
    if (session.socket.readyState !== session.socket.OPEN) return;
    switch (session.state.kind) {
      case "awaiting-auth":
        world.timers.clearTimeout(authTimer);
        if (Buffer.byteLength(text) > hubLimits.authFrameBytes) refuseFrame(session);
        else begin(session, text).catch((error: unknown) => endings.refuse(session, error, echoOf(text)));
        return;
      case "identifying":
        holdBack(session, session.state.early, text);
        return;
      case "active":
        if (session.state.active.isSynced) void handle(session, session.state.active, text);
        else holdBack(session, session.state.active.early, text);
        return;
      case "gone":
        return;
    }
  }

  /** Signs in, then handles the messages that arrived in the meantime. */
  async function begin(session: TerminalSession, auth: string): Promise<void> {
    const active = await signIn(session, auth);
    for (const message of active?.early.texts.splice(0) ?? []) {
      if (active !== null && session.state.kind === "active") void handle(session, active, message);
    }
  }

  async function handle(session: TerminalSession, active: ActiveTerminal, text: string): Promise<void> {
    const read = readMessage(text, active.budget.admits);
    if ("problem" in read) {
      broadcaster.answer(session, read.problem);
      if (active.budget.isOverrun()) endings.cutOff(session);
      return;
    }
    const { message } = read;
    world.log.trace({ terminalId: active.terminalId, type: message.type }, "message");
    try {
      const reply = await handleMessage(deps, session, active, message, {
        resync: (since, requestId) => syncs.resync(session, since, requestId),
        sendPresence: (presence) => broadcaster.sendPresence(active, presence),
      });
      if (reply !== null) broadcaster.answer(session, reply, message.requestId);
    } catch (error) {
      broadcaster.answer(session, refusalOf(world, message, error), message.requestId);
    }
  }
}
