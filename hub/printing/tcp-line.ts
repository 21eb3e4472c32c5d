import { connect, type Socket } from "node:net";
import type { PrinterState } from "@comanda/protocol";
import type { World } from "../platform/world.ts";
import { createStatusReader, statusRequest } from "./printer-status.ts";
import { canPrint, type Line, PrintFailure } from "./line.ts";

/** Port on which printers accept raw documents. */
export const RAW_PORT = 9100;

const CONNECT_MS = 3_000;
/** A printer on the same network answers within a few ms, if it answers at all. */
const STATUS_MS = 1_000;
/** A printer that accepts no data for this long has stopped. */
const STALLED_MS = 15_000;
/** How long a printer that reports its state may take to print everything and answer again. */
const CONFIRM_MS = 10_000;
/** How long, and how often, to check again for paper after it ran out at the end: a person may be refilling it. */
const RECOVERY_MS = 5_000;
const ASK_AGAIN_MS = 300;
/** How long to wait for a reset from a printer that reports no state. */
const LINGER_MS = 250;
const CLOSE_MS = 5_000;
const CHUNK = 4_096;

type Ask = (ms: number) => Promise<PrinterState>;

/** Opens a raw TCP connection to a printer, usually on port 9100. */
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
      print: (document) => print(document, state, status.ask),
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

  async function print(document: Uint8Array, before: PrinterState, ask: Ask): Promise<PrinterState> {
    // Nothing of it was sent yet.
    if (line.hasEnded()) throw new PrintFailure("unreachable", false);
    try {
      for (let at = 0; at < document.length; at += CHUNK) {
        const chunk = document.subarray(at, at + CHUNK);
        await line.within(STALLED_MS, new Promise<void>((resolve) => socket.write(chunk, () => resolve())));
      }
      return before === "unknown" ? await endQuietly(before) : await confirm(before, ask);
    } catch (error) {
      throw error instanceof PrintFailure ? error : new PrintFailure("line_broken", true, error);
    } finally {
      socket.destroy();
    }
  }

  /** Asks for the state behind the document. The printer answers, or ends its side, once it has taken all of the document. */
  async function confirm(before: PrinterState, ask: Ask): Promise<PrinterState> {
    const { bytesRead } = socket;
    try {
      return await confirmByStatus(ask);
    } catch (error) {
      if (!socket.readableEnded || socket.bytesRead > bytesRead) throw error;
      // One that has broken off resets the connection when it gets more.
      socket.write(statusRequest);
      return await endQuietly(before);
    }
  }

  async function confirmByStatus(ask: Ask): Promise<PrinterState> {
    const recoverBy = world.clock.monotonic() + CONFIRM_MS + RECOVERY_MS;
    let state = await ask(CONFIRM_MS);
    const firstBadAt = world.clock.monotonic();
    while (
      state !== "unknown" &&
      !canPrint(state) &&
      world.clock.monotonic() < Math.min(recoverBy, firstBadAt + RECOVERY_MS)
    ) {
      await line.pause(ASK_AGAIN_MS);
      state = await ask(STATUS_MS);
    }
    if (state === "paper_out" || state === "cover_open") throw new PrintFailure(state, true);
    if (state === "unknown" || !canPrint(state)) throw new PrintFailure("not_confirmed", true);
    return state;
  }

  /** Waits for the end. A connection that ends without a reset was read completely, whichever side closed it. */
  async function endQuietly(before: PrinterState): Promise<PrinterState> {
    await line.linger(LINGER_MS);
    await end();
    return before;
  }

  async function end(): Promise<void> {
    const closed = new Promise<boolean>((resolve) => socket.once("close", resolve));
    // After the other end has closed its side, its reset shows only when we write.
    if (socket.readableEnded) socket.write(statusRequest);
    socket.end();
    const timer = world.timers.setTimeout(() => socket.destroy(new Error("it did not close")), CLOSE_MS);
    const hadError = await closed;
    world.timers.clearTimeout(timer);
    // If we ended the connection, as when the hub stops, the printer may not have read everything.
    if (hadError || !socket.readableEnded) throw new Error("the connection did not end well");
  }
}

/** Rejects waiting work as soon as the socket ends or a timeout passes. */
function watch(world: World, socket: Socket) {
  const [ended, closed] = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  // Awaited by later work; avoids an unhandled rejection.
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
    /** Waits. Rejects as soon as the socket ends. */
    pause: (ms: number): Promise<void> => within(ms + CLOSE_MS, sleep(ms)),
    /** Waits. Rejects when the socket closes, but not when the printer only ends its side. */
    linger: (ms: number): Promise<void> => Promise.race([sleep(ms), closed.promise]),
  };
}
