import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Most bytes parsed at once. A head is cut at its end; the end of a body may bring some 20 short heads with it. */
const PIECE_BYTES = 512;
const HEAD_END = "\r\n\r\n";

export type RequestReader = ReturnType<typeof createRequestReader>;

/**
 * Reads one request of a socket at a time and parses the next when the response is sent. Node alone parses all requests in the
 * bytes that have arrived, maybe thousands, and holds a response for each. The reader replaces the server's own data listener,
 * so create it after that has been added (`connection`).
 */
export function createRequestReader(socket: Socket) {
  const parse = socket.listeners("data").at(-1) as ((bytes: Buffer) => void) | undefined;
  if (parse === undefined) throw new Error("the HTTP server does not read from its socket");
  /** Bytes that have arrived and are not parsed yet, while some are being parsed. */
  let rest: Buffer = Buffer.alloc(0);
  let unanswered = 0;
  let newest: { request: IncomingMessage; response: ServerResponse } | null = null;

  const isInBody = (): boolean => newest?.request.complete === false;
  const mayParse = (): boolean => unanswered === 0 || (unanswered === 1 && isInBody());

  function nextPiece(): Buffer {
    const piece = rest.subarray(0, PIECE_BYTES);
    const end = isInBody() ? -1 : piece.indexOf(HEAD_END);
    return end < 0 ? piece : piece.subarray(0, end + HEAD_END.length);
  }

  function read(bytes: Buffer): void {
    rest = bytes;
    while (rest.length > 0 && mayParse() && !socket.writableEnded && !socket.destroyed) {
      const piece = nextPiece();
      rest = rest.subarray(piece.length);
      parse?.(piece);
    }
    if (rest.length === 0 || socket.destroyed) return;
    socket.pause();
    socket.unshift(rest);
    rest = Buffer.alloc(0);
  }

  socket.off("data", parse);
  socket.on("data", read);

  return {
    /** Marks a parsed request as in progress until its response is sent or its socket closed. */
    begin(request: IncomingMessage, response: ServerResponse): void {
      unanswered += 1;
      newest = { request, response };
      response.once("close", () => {
        unanswered -= 1;
        if (mayParse()) socket.resume();
      });
    },
    /** Returns the newest request if its response is not sent yet, or null. */
    underWay: () => (unanswered > 0 ? newest : null),
    /** Stops reading for an upgrade. Returns the bytes for the next reader, `head` first. */
    end(head: Buffer): Buffer {
      socket.off("data", read);
      const whole = Buffer.concat([head, rest]);
      rest = Buffer.alloc(0);
      return whole;
    },
  };
}
