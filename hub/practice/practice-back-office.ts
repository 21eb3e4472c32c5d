import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import {
  AuthenticateParams,
  BatchSyncRequest,
  CreditNoteRequest,
  FinalizeRequest,
  type BootstrapAnswer,
  type Customer,
  type JsonRpcError,
  ReserveNcfRequest,
  type SessionInfo,
} from "@comanda/protocol";
import { z } from "zod";
import type { Person } from "../people/person.ts";
import { createPracticeBooks } from "./practice-books.ts";

/** The restaurant that a practice back-office simulates. */
export interface PracticeRestaurant {
  bootstrap: BootstrapAnswer;
  /** The practice hub's own account. */
  account: { login: string; password: string };
  /** The session token of that account. */
  ownToken: string;
  /** Returns the person of a session token, or null. */
  personOf(token: string): Person | null;
  /** Sessions that have been signed out. */
  ended?: readonly string[];
}

/** Made up: real customers stay out of the practice. */
const customers: readonly Customer[] = [
  { id: 1, name: "Cliente de práctica", rnc: "000000000", phone: "809-555-0100", creditAllowed: true },
];
const CREDIT = 5_000;
const Rpc = z.object({ id: z.union([z.string(), z.number()]).nullish(), params: z.unknown() });

/**
 * A back-office for practice. It answers the hub and the people at its terminals, and stores only what it was sent. The
 * connection can be cut, and an answer lost. It recognizes an order only by its event, unlike a real one (by reference), to
 * check that the hub sends an order under one event on every retry.
 */
export async function startPracticeBackOffice(restaurant: PracticeRestaurant) {
  const books = createPracticeBooks();
  const ended = new Set(restaurant.ended);
  let isCut = false;
  let losesNextAnswer = false;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const body = await json(request);
    switch (request.url) {
      case "/web/session/authenticate": {
        const { id, params } = Rpc.parse(body);
        const { login, password } = AuthenticateParams.parse(params);
        const isOwn = login === restaurant.account.login && password === restaurant.account.password;
        const person = isOwn ? restaurant.personOf(restaurant.ownToken) : null;
        return person === null
          ? {
              content: failed(id, {
                code: 200,
                message: "wrong login",
                data: { name: "odoo.exceptions.AccessDenied" },
              }),
            }
          : { content: succeeded(id, person), token: restaurant.ownToken };
      }
      case "/web/session/get_session_info": {
        const { id } = Rpc.parse(body);
        const token = tokenOf(request);
        const person = ended.has(token) ? null : restaurant.personOf(token);
        return { content: person === null ? failed(id, { code: 100, message: "no session" }) : succeeded(id, person) };
      }
      case "/web/session/destroy":
        ended.add(tokenOf(request));
        return { content: { jsonrpc: "2.0", id: Rpc.parse(body).id } };
      case "/pos-api/v1/bootstrap":
        return { content: restaurant.bootstrap };
      case "/pos-api/v1/hub/batch-sync": {
        const { events } = BatchSyncRequest.parse(body);
        return {
          content: { results: events.map((event) => books.finalize(event.eventId, String(event["posReference"]))) },
        };
      }
      case "/pos-api/v1/hub/finalize": {
        const { eventId, posReference } = FinalizeRequest.parse(body);
        return { content: books.finalize(eventId, posReference) };
      }
      case "/pos-api/v1/orders/reserve-ncf":
        return { content: books.reserve(ReserveNcfRequest.parse(body)) };
      case "/pos-api/v1/orders/credit-note":
        return { content: books.credit(CreditNoteRequest.parse(body)) };
      case "/pos-api/v1/customers/search":
        return { content: { customers } };
      case "/pos-api/v1/customers/credit-check":
        return { content: { eligible: true, available: CREDIT } };
      case undefined:
      default:
        return { content: { error: "not practised", errorCode: "NOT_FOUND" }, status: 404 };
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const booked = books.bookings().length;
    const { content, status = 200, token } = await answer(request);
    const isLost = losesNextAnswer && books.bookings().length > booked;
    if (isLost) losesNextAnswer = false;
    // The connection may break before the answer arrives: the order is booked, but the hub does not know.
    if (isCut || isLost) request.socket.destroy();
    else {
      response.statusCode = status;
      if (token !== undefined) response.setHeader("Set-Cookie", `session_id=${token}`);
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
    repair(): void {
      isCut = false;
      losesNextAnswer = true;
    },
    /** Every booked reference, once per booking. */
    bookings: books.bookings,
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answer {
  content: unknown;
  status?: number;
  /** The session that begins with this answer. */
  token?: string;
}

function tokenOf({ headers }: IncomingMessage): string {
  return /(?:^|;\s*)session_id=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "";
}

function succeeded(id: string | number | null | undefined, person: Person) {
  const { userId: uid, userName: name, login, role, permissions } = person;
  const result: SessionInfo = { uid, name, username: login ?? false, pos: { role, permissions } };
  return { jsonrpc: "2.0", id, result };
}

function failed(id: string | number | null | undefined, error: JsonRpcError) {
  return { jsonrpc: "2.0", id, error };
}
