import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { unescape } from "node:querystring";
import { codeOf, messageOf } from "../../platform/error-facts.ts";
import { createHttpClient, readBody } from "../../platform/http-client.ts";
import type { WebhookError } from "@comanda/protocol";
import type { World } from "../../platform/world.ts";
import type { Attempt } from "../deliveries/delivery-reads.ts";
import { AddressRefused, guardedLookup, requireAllowed, targetOf } from "./address-guard.ts";

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  at: number;
  timeoutMs: number;
}

/** One exchange with a receiver. Failures are expected, so they are returned, not thrown. */
export interface Exchange extends Omit<Attempt, "attempt"> {
  /** The system's error text, only for the log: it reveals what is open and closed on the network. */
  detail: string | null;
  /** Whether the hub stopped before the exchange ended. */
  wasCutOff: boolean;
}

export type Sender = ReturnType<typeof createSender>;

/** How much of an answer is read, and how much of that is kept. */
const READ_BYTES = 65_536;
const KEEP_BYTES = 4_096;
/** The status decides, so a slow body is only read for this long. */
const BODY_WAIT_MS = 2_000;

/** Posts to receivers over kept-alive connections; never follows a redirect. */
export function createSender(world: World, ownPort: () => number) {
  const http = createHttpClient({ connectTimeoutMs: 10_000 });
  const underWay = new Set<AbortController>();

  return {
    /** Posts a body within `timeoutMs`. `at` is the wall time in its signature. */
    async post({ url, headers, body, at, timeoutMs }: Post): Promise<Exchange> {
      const startedAt = world.clock.monotonic();
      const cut = new AbortController();
      let isTooLate = false;
      const timer = world.timers.setTimeout(() => {
        isTooLate = true;
        cut.abort();
      }, timeoutMs);
      underWay.add(cut);
      const outcome = {
        at,
        status: null as number | null,
        error: null as WebhookError | null,
        detail: null as string | null,
        answer: null as string | null,
      };
      try {
        const target = new URL(url);
        const credentials = takeCredentials(target);
        const response = await http.post(target, {
          headers: { ...credentials, ...headers },
          body,
          signal: cut.signal,
          lookup: guard(target, ownPort()),
        });
        outcome.status = response.statusCode ?? null;
        outcome.answer = await readAnswer(world, response);
      } catch (error) {
        if (outcome.status === null) {
          outcome.error = cut.signal.aborted && !isTooLate ? "interrupted" : errorOf(error);
          outcome.detail = isTooLate ? `no answer within ${timeoutMs / 1000} s` : detailOf(error);
        }
      } finally {
        world.timers.clearTimeout(timer);
        underWay.delete(cut);
      }
      const wasCutOff = outcome.error === "interrupted";
      return { ...outcome, ms: Math.round(world.clock.monotonic() - startedAt), wasCutOff };
    },

    /** Aborts all exchanges in progress; each ends as cut off. */
    cutOff: (): void => underWay.forEach((cut) => cut.abort()),
    stop: http.stop,
  };
}

/** Throws AddressRefused if the URL names a forbidden address, or returns the lookup for its name. */
function guard(url: URL, ownPort: number): LookupFunction {
  const { host, port } = targetOf(url);
  if (isIP(host) !== 0) requireAllowed(host, port, ownPort);
  return guardedLookup(port, ownPort);
}

/** Returns the beginning of an answer's body. A body that breaks off or is slow is no error: the status has arrived. */
async function readAnswer(world: World, body: IncomingMessage): Promise<string> {
  const timer = world.timers.setTimeout(() => body.destroy(), BODY_WAIT_MS);
  const { bytes } = await readBody(body, READ_BYTES);
  world.timers.clearTimeout(timer);
  return bytes.subarray(0, KEEP_BYTES).toString("utf8");
}

/** Moves user and password from a URL to a header: Node rejects credentials in which a % begins no escape. */
function takeCredentials(url: URL): Record<string, string> {
  const { username, password } = url;
  if (username === "" && password === "") return {};
  url.username = "";
  url.password = "";
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** Node's codes for invalid certificates. Other TLS errors only show that the port does not speak HTTPS. */
const BAD_CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

function errorOf(error: unknown): WebhookError {
  if (error instanceof AddressRefused) return "not_allowed";
  return BAD_CERTIFICATE.test(codeOf(error)) ? "tls" : "unreachable";
}

function detailOf(error: unknown): string {
  const code = codeOf(error);
  const message = messageOf(error);
  return code === "" ? message : `${message || "the connection failed"} (${code})`;
}
