import type { Duplex } from "node:stream";
import { CloseCode, hubLimits } from "@comanda/protocol";
import type { EarlyMessages, TerminalSession } from "./terminal-session.ts";

/** Limits for messages sent between the sign-in and the first SYNC. */
const EARLY_MESSAGES = 256;
const EARLY_BYTES = 4 * 1024 * 1024;
/** The byte limit while the hub still identifies the user. */
const UNIDENTIFIED_BYTES = 64 * 1024;
/** The largest header of a WebSocket frame. */
const FRAME_HEADER_BYTES = 14;

/** Limits the bytes of a connection until it is signed in: a frame without an end never becomes a message. */
export function limitUnidentified(session: TerminalSession, line: Duplex): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    switch (session.state.kind) {
      case "awaiting-auth":
        if (bytes > hubLimits.authFrameBytes + FRAME_HEADER_BYTES) refuseFrame(session);
        return;
      case "identifying":
        if (bytes > hubLimits.authFrameBytes + UNIDENTIFIED_BYTES) endFlood(session, session.state.early);
        return;
      case "active":
      case "gone":
        line.off("data", count);
    }
  };
  line.on("data", count);
}

/** Closes a session whose first message is too long for an AUTH. */
export function refuseFrame(session: TerminalSession): void {
  session.close(CloseCode.messageTooBig, `at most ${hubLimits.authFrameBytes} bytes before AUTH`);
  session.socket.pause();
}

/** Keeps a message until the first SYNC has been sent. Closes a session that sends too many. */
export function holdBack(session: TerminalSession, early: EarlyMessages, text: string): void {
  early.texts.push(text);
  early.bytes += text.length;
  const maxBytes = session.state.kind === "identifying" ? UNIDENTIFIED_BYTES : EARLY_BYTES;
  if (early.texts.length > EARLY_MESSAGES || early.bytes > maxBytes) endFlood(session, early);
}

function endFlood(session: TerminalSession, early: EarlyMessages): void {
  early.texts.length = 0;
  session.close(CloseCode.policyViolation, "wait for AUTH_OK");
  session.socket.pause();
}
