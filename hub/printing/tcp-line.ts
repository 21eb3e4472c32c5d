import { connect, type Socket } from "node:net";
import type { PrinterState } from "@comanda/protocol";
import type { World } from "../platform/world.ts";
import { createStatusReader, statusRequest } from "./printer-status.ts";
import { canPrint, type Line, PrintFailure } from "./line.ts";

/** Where printers take documents as they are. */
export const RAW_PORT = 9100;

const CONNECT_MS = 3_000;
/** A printer of the same network answers within a few ms, if it does at all. */
const STATUS_MS = 1_000;
/** A printer that takes nothing for so long has stopped. */
const STALLED_MS = 15_000;
/** How long one that answered before may take until it has printed all and answers again. */
const CONFIRM_MS = 10_000;
/** What ran out of paper at its end is waited for this long, and asked this often: somebody may stand there. */
const MEND_MS = 5_000;
const ASK_AGAIN_MS = 300;
/** One that answers nothing could have reset in the middle: that shows within this time. */
const LINGER_MS = 250;
const CLOSE_MS = 5_000;
const CHUNK = 4_096;

/** A raw connection to a printer, as they take them on port 9100. */
export async function openTcp(world: World, host: string, port: number, connectMs = CONNECT_MS): Promise<Line> {
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
  const line = watch(world, socket);
  try {
    await line.within(connectMs, new Promise<void>((resolve) => socket.once("connect", resolve)));
    const status = createStatusReader((request) => socket.write(request), line);
    socket.on("data", status.take);
    const state = await status.ask(STATUS_MS);
    return {
      state,
      endEmpty,
      print: (document) => print(document, state === "unknown" ? null : status.ask),
      close: () => void socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw new PrintFailure("unreachable", false, error);
  }

  async function endEmpty(): Promise<void> {
    try {
      await line.pause(LINGER_MS);
      await end();
    } catch (error) {
      throw new PrintFailure("unreachable", false, error);
    }
  }

  async function print(document: Uint8Array, ask: ((ms: number) => Promise<PrinterState>) | null) {
    // Nothing of it has left yet.
    if (line.hasEnded()) throw new PrintFailure("unreachable", false);
    try {
      for (let at = 0; at < document.length; at += CHUNK) {
        const chunk = document.subarray(at, at + CHUNK);
        await line.within(STALLED_MS, new Promise<void>((resolve) => socket.write(chunk, () => resolve())));
      }
      return ask === null ? await endQuietly() : await confirm(ask);
    } catch (error) {
      throw error instanceof PrintFailure ? error : new PrintFailure("line_broken", true, error);
    } finally {
      socket.destroy();
    }
  }

  /** It answers what comes behind the document when it has taken all of it. */
  async function confirm(ask: (ms: number) => Promise<PrinterState>): Promise<PrinterState> {
    const mendBy = world.clock.monotonic() + CONFIRM_MS + MEND_MS;
    let state = await ask(CONFIRM_MS);
    const firstBadAt = world.clock.monotonic();
    while (
      state !== "unknown" &&
      !canPrint(state) &&
      world.clock.monotonic() < Math.min(mendBy, firstBadAt + MEND_MS)
    ) {
      await line.pause(ASK_AGAIN_MS);
      state = await ask(STATUS_MS);
    }
    if (state === "paper_out" || state === "cover_open") throw new PrintFailure(state, true);
    if (state === "unknown" || !canPrint(state)) throw new PrintFailure("not_confirmed", true);
    return state;
  }

  /** What ends without a reset has read everything, whoever ends it first. */
  async function endQuietly(): Promise<PrinterState> {
    await line.linger(LINGER_MS);
    await end();
    return "unknown";
  }

  async function end(): Promise<void> {
    const closed = new Promise<boolean>((resolve) => socket.once("close", resolve));
    // Once the other end has said that nothing more comes, a reset of it shows in a write alone.
    if (socket.readableEnded) socket.write(statusRequest);
    socket.end();
    const timer = world.timers.setTimeout(() => socket.destroy(new Error("it did not close")), CLOSE_MS);
    const hadError = await closed;
    world.timers.clearTimeout(timer);
    // An end of our own, as when the hub stops, says nothing of what the printer has read.
    if (hadError || !socket.readableEnded) throw new Error("the connection did not end well");
  }
}

/** Fails what waits for a socket as soon as that ends, or when it takes too long. */
function watch(world: World, socket: Socket) {
  const [ended, closed] = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  // Awaited by whatever is under way; avoids an unhandled rejection in between.
  for (const { promise } of [ended, closed]) promise.catch(() => {});
  let hasEnded = false;
  const end = (error?: Error): Error => {
    const reason = error ?? new Error("the printer closed the connection");
    hasEnded = true;
    ended.reject(reason);
    return reason;
  };
  socket.on("end", () => end());
  socket.on("error", (error) => closed.reject(end(error)));
  socket.on("close", () => closed.reject(end()));

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void world.timers.setTimeout(resolve, ms));

  async function within<T>(ms: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = world.timers.setTimeout(() => late.reject(new Error(`nothing for ${ms} ms`)), ms);
    try {
      return await Promise.race([work, ended.promise, late.promise]);
    } finally {
      world.timers.clearTimeout(timer);
    }
  }

  return {
    within,
    hasEnded: (): boolean => hasEnded,
    /** Waits; fails at once when the socket ends. */
    pause: (ms: number): Promise<void> => within(ms + CLOSE_MS, sleep(ms)),
    /** Waits; fails at once when the socket is closed, but not when the printer says that nothing more comes. */
    linger: (ms: number): Promise<void> => Promise.race([sleep(ms), closed.promise]),
  };
}
