import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { BatchSyncRequest, FinalizeRequest, type BatchSyncResult, type BootstrapAnswer } from "@comanda/protocol";

const person = { uid: 1, name: "Practice", pos: { role: "manager", permissions: [] } };
const start: BootstrapAnswer = {
  config: {
    id: 1,
    name: "Practice",
    currency: "",
    hubMode: true,
    hubAddress: "",
    floors: [],
    taxes: [],
    products: [],
    categories: [],
    paymentMethods: [],
  },
  session: { id: 1, name: "Practice", state: "opened" },
  minClientVersion: null,
};

/**
 * The least back-office that a drill needs: it counts the orders it receives, can be cut off and can lose an answer. A
 * real one recognizes an order by its reference; this one recognizes only the event, to check that the hub sends an
 * order under one event however often it has to send it.
 */
export async function startPracticeBackOffice() {
  const knownEvents = new Set<string>();
  const bookings: string[] = [];
  let isCut = false;
  let losesNextAnswer = false;

  function finalize(eventId: string | number, posReference: string): BatchSyncResult {
    const isRepeat = knownEvents.has(String(eventId));
    knownEvents.add(String(eventId));
    if (!isRepeat) bookings.push(posReference);
    return { eventId, status: isRepeat ? "duplicate" : "finalized" };
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const body = await json(request);
    switch (request.url) {
      case "/web/session/authenticate":
      case "/web/session/get_session_info":
        return { jsonrpc: "2.0", result: person };
      case "/pos-api/v1/bootstrap":
        return start;
      case "/pos-api/v1/hub/batch-sync": {
        const { events } = BatchSyncRequest.parse(body);
        return { results: events.map((event) => finalize(event.eventId, String(event["posReference"]))) };
      }
      case "/pos-api/v1/hub/finalize": {
        const { eventId, posReference } = FinalizeRequest.parse(body);
        return finalize(eventId, posReference);
      }
      case undefined:
      default:
        return { error: "not practised", errorCode: "NOT_FOUND" };
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const booked = bookings.length;
    const content = await answer(request);
    const isLost = losesNextAnswer && bookings.length > booked;
    if (isLost) losesNextAnswer = false;
    // The connection may end before the answer arrives: the order is booked, and the hub does not know.
    if (isCut || isLost) request.socket.destroy();
    else {
      response.setHeader("Set-Cookie", "session_id=practice");
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(content));
    }
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  });
  server.on("connection", (socket) => {
    if (isCut) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(): void {
      isCut = true;
      server.closeAllConnections();
    },
    /** Restores the connection; the first answer to a booking is then lost. */
    mend(): void {
      isCut = false;
      losesNextAnswer = true;
    },
    /** Every booked reference, once per booking. */
    bookings: (): readonly string[] => bookings,
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
