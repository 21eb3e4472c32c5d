import { Agent, type Dispatcher, request } from "undici";
import { UpstreamError } from "./release-source.ts";

/** Total timeout of one lookup. A check waits for it, and clients give up soon after. */
export const lookUpTimeoutMs = 10_000;

export interface UpstreamAnswer {
  status: number;
  location: string | undefined;
  nextPage: URL | undefined;
  /** The host's own clock at the time of the answer, if it sent it. */
  dateMs: number | undefined;
  text: string;
}

export type GithubClient = ReturnType<typeof createGithubClient>;

/** Creates a client for one release host. The token is sent to that host's origin only. */
export function createGithubClient(api: URL, token: string | undefined) {
  const agent = new Agent({ connect: { timeout: 5_000 } });

  async function exchange(
    address: URL,
    headers: Record<string, string>,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    try {
      const answer = await request(address, {
        dispatcher: agent,
        signal,
        headers: { "user-agent": "comanda-update-proxy", ...headers },
      });
      const redirected = answer.statusCode >= 300 && answer.statusCode < 400;
      return {
        status: answer.statusCode,
        location: one(answer.headers["location"]),
        nextPage: nextPage(one(answer.headers["link"]), address),
        dateMs: timeOf(one(answer.headers["date"])),
        text: redirected ? await skip(answer.body) : await readBounded(answer.body, maxBytes),
      };
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      // Without the cause: texts of network errors can contain a whole address.
      throw new UpstreamError(
        signal.aborted
          ? `${address.host} did not answer in time`
          : `${address.host} cannot be reached (${codeOf(error)})`,
      );
    }
  }

  return {
    /** Sends a request with the credential to the release host. Reports redirects but does not follow them. */
    request(address: URL, accept: string, maxBytes: number, signal: AbortSignal) {
      if (address.origin !== api.origin) throw new UpstreamError("the release host named an asset on another host");
      const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return exchange(address, { accept, "x-github-api-version": "2022-11-28", ...credential }, maxBytes, signal);
    },
    /** Fetches a pre-signed address, without the credential. */
    fetchOpen: (address: URL, maxBytes: number, signal: AbortSignal) =>
      exchange(address, { accept: "*/*" }, maxBytes, signal),
    close: () => agent.destroy(),
  };
}

/** Reads at most `maxBytes` of an answer. A truncated answer fails later, as an invalid list or too long a signature. */
async function readBounded(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, maxBytes);
}

async function skip(body: Dispatcher.ResponseData["body"]): Promise<string> {
  await body.dump({ limit: 65_536 });
  return "";
}

/** Returns the next page, always on our own host, whatever host the link names. */
function nextPage(link: string | undefined, current: URL): URL | undefined {
  const target = /<([^>]*)>[^,]*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  const named = target === undefined ? null : URL.parse(target, current.href);
  return named === null ? undefined : new URL(named.pathname + named.search, current.origin);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function timeOf(date: string | undefined): number | undefined {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "network error";
}
