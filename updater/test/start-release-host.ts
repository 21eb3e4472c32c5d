import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { startServer } from "./start-server.ts";

export interface HostRelease {
  tag: string;
  draft?: boolean;
  prerelease?: boolean;
  publishedAt?: string | null;
  notes?: string | null;
  /** Content by asset name. */
  assets?: Record<string, string>;
}

export interface ReleaseHost extends AsyncDisposable {
  url: string;
  storageUrl: string;
  releases: HostRelease[];
  /** Requests that the API received, as "METHOD path". */
  requests: string[];
  apiHeaders: IncomingHttpHeaders[];
  storageHeaders: IncomingHttpHeaders[];
  /** If set, handles every API request. */
  override: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Query of the addresses to which downloads are redirected. */
  presignedQuery: () => string;
  pageSize: number;
  listCalls(): number;
}

/** Starts a release host with enough of GitHub's REST API. Its files are on a second origin, as on the real one. */
export async function startReleaseHost(releases: HostRelease[]): Promise<ReleaseHost> {
  const storage = await startServer((request, response) => {
    host.storageHeaders.push(request.headers);
    const [, tag = "", name = ""] = new URL(request.url!, storage.url).pathname.split("/").map(decodeURIComponent);
    const content = host.releases.find((release) => release.tag === tag)?.assets?.[name];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  const api = await startServer((request, response) => {
    host.requests.push(`${request.method} ${request.url}`);
    host.apiHeaders.push(request.headers);
    if (host.override !== undefined) return host.override(request, response);
    const address = new URL(request.url!, api.url);
    if (address.pathname === "/repos/acme/pos/releases") return sendPage(host, address, response);
    const id = /^\/repos\/acme\/pos\/releases\/assets\/(\d+)$/.exec(address.pathname)?.[1];
    const asset = listAssets(host).find((candidate) => String(candidate.id) === id);
    if (asset === undefined) return void response.writeHead(404).end();
    const location = `${storage.url}/${encodeURIComponent(asset.tag)}/${encodeURIComponent(asset.name)}${host.presignedQuery()}`;
    response.writeHead(302, { location }).end();
  });

  const host: ReleaseHost = {
    url: api.url,
    storageUrl: storage.url,
    releases,
    requests: [],
    apiHeaders: [],
    storageHeaders: [],
    override: undefined,
    presignedQuery: () => "?sig=open",
    pageSize: 100,
    listCalls: () => host.requests.filter((line) => line.includes("/releases?")).length,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
  return host;
}

function sendPage(host: ReleaseHost, address: URL, response: ServerResponse): void {
  const page = Number(address.searchParams.get("page") ?? "1");
  const shown = host.releases.slice((page - 1) * host.pageSize, page * host.pageSize);
  const more = host.releases.length > page * host.pageSize;
  const headers = more
    ? { link: `<${host.url}${address.pathname}?per_page=${host.pageSize}&page=${page + 1}>; rel="next"` }
    : {};
  const assets = listAssets(host);
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(
    JSON.stringify(
      shown.map((release) => ({
        tag_name: release.tag,
        draft: release.draft ?? false,
        prerelease: release.prerelease ?? false,
        published_at: release.publishedAt === undefined ? "2026-11-20T10:00:00Z" : release.publishedAt,
        body: release.notes === undefined ? `notes of ${release.tag}` : release.notes,
        assets: assets
          .filter(({ tag }) => tag === release.tag)
          .map(({ id, name }) => ({
            id,
            name,
            state: "uploaded",
            url: `${host.url}/repos/acme/pos/releases/assets/${id}`,
          })),
      })),
    ),
  );
}

function listAssets(host: ReleaseHost): { id: number; tag: string; name: string }[] {
  return host.releases.flatMap(({ tag, assets }, release) =>
    Object.keys(assets ?? {}).map((name, index) => ({ id: release * 100 + index + 1, tag, name })),
  );
}
