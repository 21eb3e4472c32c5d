import type { Since } from "@comanda/protocol";
import { shareFrames } from "../broadcasts/shared-frames.ts";
import type { ActiveTerminal, TerminalSession } from "../sessions/terminal-session.ts";
import type { TerminalDeps } from "../terminal-deps.ts";
import type { SyncBuild, SyncCut } from "./sync.ts";

/** A terminal's request for a SYNC. */
interface Request {
  session: TerminalSession;
  since: Since | undefined;
  requestId: string | undefined;
  resolve(wasBehind: boolean): void;
  reject(error: unknown): void;
}

interface Sending extends Request {
  active: ActiveTerminal;
  build: SyncBuild;
  wasBehind: boolean;
}

/** Pages written to a socket per event-loop turn: half a megabyte. */
const PAGES_PER_TURN = 4;

/** Sends SYNCs: small ones at once, large ones over several event-loop turns. */
export function createSyncQueue({ world, changes, sync }: Pick<TerminalDeps, "world" | "changes" | "sync">) {
  let waiting: Request[] = [];
  let running: Promise<void> | null = null;

  /**
   * Sends the pages of a SYNC; later commits follow them. A small SYNC is sent at once, unless its terminal is being sent a
   * large one. Large SYNCs are read one after the other, in slices that let other work run in between; requests that arrive
   * meanwhile share the next cut. Returns whether the terminal was behind, and so missed announcements outside the shared
   * state.
   */
  async function send(session: TerminalSession, since: Since | undefined, requestId?: string): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    await changes.read(() => {
      const request = { session, since, requestId, resolve, reject };
      if (!sync.isLarge(since) && !session.isHeldBack()) return sendSmall(request);
      waiting.push(request);
      running ??= sendLarge().finally(() => (running = null));
    });
    return promise;
  }

  function sendSmall(request: Request): void {
    const cut = sync.cut();
    try {
      start(request, cut);
    } finally {
      cut.close();
    }
  }

  async function sendLarge(): Promise<void> {
    while (waiting.length > 0) {
      const requests = firstOfEach(waiting);
      waiting = waiting.filter((request) => !requests.includes(request));
      let cut: SyncCut | null = null;
      try {
        const sendings = await changes.read(() => {
          const opened = (cut = sync.cut());
          return requests.flatMap((request) => start(request, opened) ?? []);
        });
        // A terminal that was away for a moment need not wait for another's full state.
        const ordered = sendings.toSorted((a, b) => Number(a.build.isFull) - Number(b.build.isFull));
        for (const sending of ordered) await finish(sending);
      } catch (error) {
        for (const { session, reject } of requests) {
          session.socket.terminate();
          reject(error);
        }
      } finally {
        (cut as SyncCut | null)?.close();
      }
    }
  }

  /** Sends a small SYNC and returns null. For a large one, holds later messages and returns what is left to send. */
  function start(request: Request, cut: SyncCut): Sending | null {
    const { session, since, requestId } = request;
    if (session.state.kind !== "active") {
      request.resolve(false);
      return null;
    }
    const { active } = session.state;
    const wasBehind = active.isBehind;
    const build = cut.build(active.terminalId, since, requestId);
    session.flush([], shareFrames([]));
    active.seq = build.seq;
    active.isBehind = false;
    if (build.isLarge) {
      session.holdBack(build.seq);
      return { ...request, active, build, wasBehind };
    }
    for (const page of build.pages()) session.send(page);
    active.isSynced = true;
    request.resolve(wasBehind);
    return null;
  }

  async function finish({ session, active, build, wasBehind, resolve, reject }: Sending): Promise<void> {
    const isConnected = (): boolean => session.state.kind === "active" && session.state.active === active;
    try {
      while (isConnected() && !build.read()) await nextTurn();
      let sent = 0;
      for (const page of build.pages()) {
        if (!isConnected()) break;
        session.send(page);
        sent += 1;
        if (sent % PAGES_PER_TURN === 0) await nextTurn();
      }
      active.isSynced = true;
      session.release();
      resolve(wasBehind);
    } catch (error) {
      // The messages held behind the SYNC are useless without it.
      session.socket.terminate();
      reject(error);
    }
  }

  const nextTurn = (): Promise<void> => new Promise((resolve) => world.timers.setImmediate(resolve));

  return {
    send,
    /** Resolves when no SYNC is being read. Called when no sessions are left. */
    idle: (): Promise<void> => running ?? Promise.resolve(),
  };
}

/** Returns the first request of each session: the pages of two SYNCs would mix. */
function firstOfEach(requests: readonly Request[]): Request[] {
  return requests.filter(({ session }, at) => requests.findIndex((each) => each.session === session) === at);
}
