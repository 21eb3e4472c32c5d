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

/** Response timeout. A search goes through the hub to the back-office. */
const ANSWER_MS = 15_000;

export interface HubHttpOptions {
  /** The hub's address, `http://host:port`, with `/practice` for the practice hub. */
  url: string | (() => Promise<string>);
  /** Returns the user's back-office session, or null before the sign-in. */
  token?: () => string | null;
}

/** A bill (which may be divided), a reprint (receipt, credit note, a check's kitchen slips), or a shift's report. */
export interface PrintedDocument {
  document: "bill" | "receipt" | "credit-note" | "station" | "till";
  posReference?: string;
  /** Id of the credit note's refund; the last refund if absent. */
  refundId?: string;
  shiftId?: string;
  parts?: number;
}

/** The device that owns the print job, and the token of the person who acts by PIN. */
interface PrintJobOf {
  deviceKey: string;
  actor?: string;
}

export type HubHttp = ReturnType<typeof createHubHttpWith>;

/**
 * Creates the client for the hub's HTTP routes for terminals. Every call throws TerminalRefusal with the hub's message, or
 * HubUnreachableError.
 */
export function createHubHttpWith(schemas: Schemas, { url, token = () => null }: HubHttpOptions) {
  return {
    /** Identifies the hub and its restaurant. */
    hub: () => call("hub"),
    /** Opens a back-office session through the hub; its token is for AUTH and for these calls. */
    signIn: (account: { login: string; password: string }) => call("signIn", { body: account }),
    signOut: () => call("signOut"),
    /** Resolves with null if the copy with that `etag` is current. */
    menu: (etag?: string) => readIfChanged("menu", etag),
    /** Sales per hour and preparation times. Resolves with null if the copy with that `etag` is current. */
    learned: (etag?: string) => readIfChanged("learned", etag),
    floors: () => call("floors"),
    customers: (query: { q: string; limit?: number }) => call("customers", { query }),
    creditCheck: (body: { customerId: number | string; amount: number }) => call("creditCheck", { body }),
    /** Refunds all or some lines of a paid check (`Terminal.refund`). */
    refund: (body: RefundAtTerminal) => call("refund", { body }),
    /** Prints a document (`Terminal.print`). */
    print: (body: PrintJobOf & PrintedDocument) => call("print", { body }),
    /** Prints a job of this device again (`Terminal.printAgain`). */
    printAgain: (jobId: string, body: PrintJobOf) => call("printAgain", { params: { jobId }, body }),
    dismissPrintJob: (jobId: string, body: PrintJobOf) => call("dismissPrintJob", { params: { jobId }, body }),
    /** The paid checks of this shift, newest first. */
    recentOrders: (query: { cursor?: string; limit?: number } = {}) => call("recentOrders", { query }),
    /** Sets the status of a booking. `version` is that of the record which the person saw. */
    setBookingStatus: (key: string, body: SetBookingStatus) => call("setBookingStatus", { params: { key }, body }),
    /** Stores a telephone booking. A repeat with the same key and booking returns the record unchanged. */
    putBooking: (key: string, body: PutBooking) => call("putBooking", { params: { key }, body }),
    /** Stores or changes a waiting party; `version` 0 for a new one. */
    putWaitingParty: (key: string, body: PutWaitingParty) => call("putWaitingParty", { params: { key }, body }),
    /**
     * Returns a token for the person with this PIN on this device: to act with (`useActor`), or to approve one mutation
     * (`approvedBy`).
     */
    enterPin: (body: { deviceKey: string; userId: number | string; pin: string; for?: "approval" }) =>
      call("enterPin", { body }),
    /**
     * Sets the PIN of the signed-in user: 4 to 8 digits, for a manager 6 to 8. Throws CONFIRMATION_NEEDED without the
     * password, unless the user has signed in with it at this hub in the last 5 minutes.
     */
    setPin: (pin: string, password?: string) =>
      call("setPin", { body: { pin, ...(password !== undefined && { password }) } }),
    people: (deviceKey: string) => call("people", { query: { deviceKey } }),
    /** Whether no other device known to the hub has this name. */
    isNameFree: async (deviceKey: string, name: string) =>
      (await call("deviceName", { query: { deviceKey, name } })).isFree,
    /** Whether the name is free for a device that the hub does not know yet. */
    isNameUnused: async (name: string) => (await call("unusedName", { query: { name } })).isFree,
    /** Returns a session of the practice hub, starting one if necessary. */
    enterPractice: () => call("enterPractice"),
    /** Resets the practice hub for all its users. */
    resetPractice: () => call("resetPractice"),
  };

  async function call<Name extends TerminalRouteName>(name: Name, input: Input = {}): Promise<TerminalAnswer<Name>> {
    return read(name, await request(name, input));
  }

  async function readIfChanged<Name extends TerminalRouteName>(
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
    const parameters = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    );
    const search = new URLSearchParams(parameters);
    try {
      const base = typeof url === "string" ? url : await url();
      // The address may have a path: the practice hub is below `/practice`.
      const address = `${base.replace(/\/+$/, "")}${path}`;
      return await fetch(search.size === 0 ? address : `${address}?${search}`, {
        method,
        headers: {
          accept: "application/json",
          ...(present !== null && { authorization: `Bearer ${present}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          // Without it, fetch would add `no-cache` and the hub would ignore the ETag.
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
    // `trustingSchemas` do not check, and would accept undefined as an answer.
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

/** An answer without an `errorCode` comes from a proxy between the terminal and the hub. */
function asRefusal(content: unknown, status: number): Error {
  const { errorCode, error } = (content ?? {}) as Partial<ErrorBody>;
  if (errorCode === undefined) return new HubUnreachableError(`the hub answered ${status}`);
  return new TerminalRefusal(errorCode, error ?? "");
}
