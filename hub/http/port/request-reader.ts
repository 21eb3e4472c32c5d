import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is parsed at once at most. Of a head no more than its end; of a body its end may bring some 20 short heads with it. */
const PIECE_BYTES = 512;
const HEAD_END = "\r\n\r\n";

export type RequestReader = ReturnType<typeof createRequestReader>;

/**
 * Reads one request of a socket at a time: the next is parsed when the answer is out. By itself Node parses all that lie in
 * the bytes that have arrived, thousands of them, and holds an answer for each. It takes the place of the server's own
 * listener, so it is to be created when that has been added (`connection`).
 */
export function createRequestReader(socket: Socket) {
  const parse = socket.listeners("data").at(-1) as ((bytes: Buffer) => void) | undefined;
  if (parse === undefined) throw new Error("the HTTP server does not read from its socket");
  /** What has arrived and is not parsed yet, while some of it is being parsed. */
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
    /** A request has been parsed; it is under way until its answer is out, or its socket closed. */
    begin(request: IncomingMessage, response: ServerResponse): void {
      unanswered += 1;
      newest = { request, response };
      response.once("close", () => {
        unanswered -= 1;
        if (mayParse()) socket.resume();
      });
    },
    /** The newest request whose answer is not out. */
    underWay: () => (unanswered > 0 ? newest : null),
    /** Stops reading for an upgrade; returns what the next reader gets, `head` first. */
    end(head: Buffer): Buffer {
      socket.off("data", read);
      const whole = Buffer.concat([head, rest]);
      rest = Buffer.alloc(0);
      return whole;
    },
  };
}
