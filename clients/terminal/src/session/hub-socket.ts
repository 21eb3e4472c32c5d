import type { HubMessage, TerminalMessageInput } from "@comanda/protocol";
import type { Schemas } from "../schemas.ts";
import type { TerminalWorld } from "../world.ts";
import type { OpenSocket, TerminalSocket } from "./socket.ts";

/** Timeout from opening a connection to AUTH_OK. */
const CONNECT_WITHIN_MS = 15_000;
/** Timeout for a check of the connection. */
const CHECK_WITHIN_MS = 3_000;
/** Own close code for a hub that is silent or unreadable. */
const HUB_SILENT = 4000;

export type HubSocket = ReturnType<typeof openHubSocket>;

/** Opens one connection, including the address lookup. Its end is reported once, unless it was closed from here. */
export function openHubSocket(deps: {
  url(): Promise<string>;
  openSocket: OpenSocket;
  world: TerminalWorld;
  schemas: Schemas;
  /** Builds the first message. */
  hello(): TerminalMessageInput;
  events: {
    message(message: HubMessage, helloSentAt: number): void;
    unreadable(problem: unknown): void;
    closed(code: number, reason: string): void;
  };
}) {
  const { world, schemas, events } = deps;
  let socket: TerminalSocket | null = null;
  let isOver = false;
  let heartbeatMs = 20_000;
  let helloSentAt = 0;
  let cancelWatch = () => {};

  watch(CONNECT_WITHIN_MS);
  deps.url().then(open, (error: unknown) => ended(1006, String(error)));

  return {
    send: (message: TerminalMessageInput) => socket?.send(JSON.stringify(message)),
    /** Sets the hub's heartbeat interval, in ms. */
    expectEvery(ms: number): void {
      heartbeatMs = ms;
      watch(2 * ms);
    },
    /** Expects a message soon. After it, the usual timeout applies again. */
    expectSoon: () => watch(CHECK_WITHIN_MS),
    close,
  };

  function open(url: string): void {
    if (isOver) return;
    try {
      socket = deps.openSocket(url, {
        opened() {
          if (isOver) return;
          helloSentAt = world.clock.monotonic();
          socket?.send(JSON.stringify(deps.hello()));
        },
        received(text) {
          if (isOver) return;
          watch(2 * heartbeatMs);
          for (const value of readFrame(text)) if (!isOver) receive(value);
        },
        closed: ended,
      });
    } catch (error) {
      ended(1006, String(error));
    }
  }

  function readFrame(text: string): unknown[] {
    try {
      const frame: unknown = JSON.parse(text);
      return Array.isArray(frame) ? frame : [frame];
    } catch (error) {
      events.unreadable(error);
      return [];
    }
  }

  function receive(value: unknown): void {
    const { message, problems } = schemas.readMessage(value);
    for (const problem of problems) events.unreadable(problem);
    if (message !== null) events.message(message, helloSentAt);
    // The terminal cannot work without the hub's state.
    else if (JSON.stringify(value).startsWith('{"type":"SYNC"')) fail("the hub's state could not be read");
  }

  /** Closes the connection if the hub is silent for `ms`, even if the socket is open. */
  function watch(ms: number): void {
    cancelWatch();
    cancelWatch = world.timers.after(ms, () => fail("the hub is silent"));
  }

  function fail(reason: string): void {
    close(HUB_SILENT, reason);
    events.closed(HUB_SILENT, reason);
  }

  function ended(code: number, reason: string): void {
    if (isOver) return;
    socket = null;
    close(code, reason);
    events.closed(code, reason);
  }

  function close(code: number, reason: string): void {
    isOver = true;
    cancelWatch();
    socket?.close(code, reason);
    socket = null;
  }
}
