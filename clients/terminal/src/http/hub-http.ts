import {
  type ErrorBody,
  type PutBooking,
  type PutWaitingParty,
  type RefundAtTerminal,
  type SetBookingStatus,
  terminalPaths,
  type TerminalRouteName,
} from "@comanda/protocol";
import { HubUnreachableError, TerminalRefusal } from "../refusal.ts";
import type { Schemas, TerminalAnswer } from "../schemas.ts";

/** How long an answer may take; a search goes through the hub to the back-office. */
const ANSWER_MS = 15_000;

export interface HubHttpOptions {
  /** The hub's address, `http://host:port`, with `/practice` for the practice hub. */
  url: string | (() => Promise<string>);
  /** The back-office session of the user; null before the sign-in. */
  token?: () => string | null;
}

/** A bill (which may be divided), or again what was printed: a receipt, a credit note, the slips of a check; of a shift its report. */
export interface PrintedDocument {
  document: "bill" | "receipt" | "credit-note" | "station" | "till";
  posReference?: string;
  /** Whose credit note; absent: that of the last refund. */
  refundId?: string;
  shiftId?: string;
  parts?: number;
}

/** Whose job it is, and who acts there by PIN. */
interface PrintJobOf {
  deviceKey: string;
  actor?: string;
}

export type HubHttp = ReturnType<typeof createHubHttpWith>;

/**
 * What the hub serves to terminals beside the connection. Every call throws TerminalRefusal with the hub's words, or
 * HubUnreachableError.
 */
export function createHubHttpWith(schemas: Schemas, { url, token = () => null }: HubHttpOptions) {
  return {
    /** Which hub answers there, with the name of its restaurant. */
    hub: () => call("hub"),
    /** Opens a back-office session through the hub; its token is for AUTH and for these calls. */
    signIn: (account: { login: string; password: string }) => call("signIn", { body: account }),
    signOut: () => call("signOut"),
    /** Null: it is still the one with that `etag`. */
    menu: (etag?: string) => readUnlessKnown("menu", etag),
    /** What the house sells at which hour and how long dishes take. Null: it is still the one with that `etag`. */
    learned: (etag?: string) => readUnlessKnown("learned", etag),
    floors: () => call("floors"),
    customers: (query: { q: string; limit?: number }) => call("customers", { query }),
    creditCheck: (body: { customerId: number | string; amount: number }) => call("creditCheck", { body }),
    /** Gives back all or some lines of a paid check (`Terminal.refund`). */
    refund: (body: RefundAtTerminal) => call("refund", { body }),
    /** Prints a document (`Terminal.print`). */
    print: (body: PrintJobOf & PrintedDocument) => call("print", { body }),
    /** Prints a job of this device again (`Terminal.printAgain`), or gives it up. */
    printAgain: (jobId: string, body: PrintJobOf) => call("printAgain", { params: { jobId }, body }),
    dismissPrintJob: (jobId: string, body: PrintJobOf) => call("dismissPrintJob", { params: { jobId }, body }),
    /** The paid checks of this shift, newest first. */
    recentOrders: (query: { cursor?: string; limit?: number } = {}) => call("recentOrders", { query }),
    /** Says what has become of a booking; `version` is that of the record which the person saw. */
    setBookingStatus: (key: string, body: SetBookingStatus) => call("setBookingStatus", { params: { key }, body }),
    /** Writes down a booking that came by telephone; the same key and booking again is answered as it is. */
    putBooking: (key: string, body: PutBooking) => call("putBooking", { params: { key }, body }),
    /** Writes down a party that waits for a table, or what has changed about it; `version` 0 for a new one. */
    putWaitingParty: (key: string, body: PutWaitingParty) => call("putWaitingParty", { params: { key }, body }),
    /**
     * A token for the person with this PIN on this device: to act with (`useActor`), or to approve one mutation
     * (`approvedBy`).
     */
    enterPin: (body: { deviceKey: string; userId: number | string; pin: string; for?: "approval" }) =>
      call("enterPin", { body }),
    /**
     * The PIN of the signed-in user: 4 to 8 digits, a manager's 6 to 8. With their password, unless they have signed in with it
     * at this hub in the last 5 minutes: CONFIRMATION_NEEDED.
     */
    setPin: (pin: string, password?: string) =>
      call("setPin", { body: { pin, ...(password !== undefined && { password }) } }),
    people: (deviceKey: string) => call("people", { query: { deviceKey } }),
    /** Whether this device may have that name: no other device that the hub knows has it. */
    isNameFree: async (deviceKey: string, name: string) =>
      (await call("deviceName", { query: { deviceKey, name } })).isFree,
    /** Whether a new device may have that name, before it is known to the hub. */
    isNameUnused: async (name: string) => (await call("unusedName", { query: { name } })).isFree,
    /** A session of the practice hub, which is begun if there is none. */
    enterPractice: () => call("enterPractice"),
    /** Resets the practice, for everyone who practises. */
    resetPractice: () => call("resetPractice"),
  };

  async function call<Name extends TerminalRouteName>(name: Name, input: Input = {}): Promise<TerminalAnswer<Name>> {
    return read(name, await request(name, input));
  }

  async function readUnlessKnown<Name extends TerminalRouteName>(
    name: Name,
    etag: string | undefined,
  ): Promise<{ value: TerminalAnswer<Name>; etag: string | null } | null> {
    const response = await request(name, { etag });
    if (response.status === 304) return null;
    return { value: await read(name, response), etag: response.headers.get("etag") };
  }

  async function request(name: TerminalRouteName, input: Input): Promise<Response> {
    const [method, pattern] = terminalPaths[name];
    const { params = {}, query = {}, body, etag } = input;
    const path = pattern.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
    const present = token();
    const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
    const search = new URLSearchParams(given);
    try {
      const base = typeof url === "string" ? url : await url();
      // The address may have a path: below `/practice` the practice hub answers.
      const address = `${base.replace(/\/+$/, "")}${path}`;
      return await fetch(search.size === 0 ? address : `${address}?${search}`, {
        method,
        headers: {
          accept: "application/json",
          ...(present !== null && { authorization: `Bearer ${present}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          // A fetch with an ETag of its own would say `no-cache`, and the hub would not compare it.
          ...(etag !== undefined && { "if-none-match": etag, "cache-control": "max-age=0" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        cache: "no-store",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
    } catch (error) {
      throw new HubUnreachableError(`the hub does not answer ${method} ${path}`, { cause: error });
    }
  }

  async function read<Name extends TerminalRouteName>(name: Name, response: Response): Promise<TerminalAnswer<Name>> {
    const content: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw asRefusal(content, response.status);
    // Whoever trusts the hub (`trustingSchemas`) would take nothing for an answer.
    if (content === undefined) throw new HubUnreachableError("the hub's answer broke off");
    const parsed = schemas.answer(name).safeParse(content);
    if (!parsed.success)
      throw new HubUnreachableError(`the hub's answer cannot be read: ${JSON.stringify(parsed.error.issues)}`);
    return parsed.data;
  }
}

interface Input {
  /** The `:name` segments of the path. */
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: object;
  etag?: string | undefined;
}

/** Something between the terminal and the hub answers without an `errorCode`. */
function asRefusal(content: unknown, status: number): Error {
  const { errorCode, error } = (content ?? {}) as Partial<ErrorBody>;
  if (errorCode === undefined) return new HubUnreachableError(`the hub answered ${status}`);
  return new TerminalRefusal(errorCode, error ?? "");
}
