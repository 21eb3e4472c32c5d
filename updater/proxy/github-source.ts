import { z } from "zod";
import { assetPlatforms } from "./asset-platform.ts";
import { addressValidityMs } from "./address-validity.ts";
import { chooseNewest } from "./choose-release.ts";
import type { ProxyConfig } from "./config.ts";
import { type GithubClient, type UpstreamAnswer, createGithubClient, lookUpTimeoutMs } from "./github-client.ts";
import { isUsableSignature } from "./is-usable-signature.ts";
import { type PublishedRelease, type ReleaseSource, type SignedAsset, UpstreamError } from "./release-source.ts";

const GithubAsset = z.object({
  // Compatible hosts send at least one of these three.
  id: z.union([z.int(), z.string()]).optional(),
  url: z.string().optional(),
  browser_download_url: z.string().optional(),
  name: z.string(),
  state: z.string().optional(),
});
type GithubAsset = z.infer<typeof GithubAsset>;

const GithubRelease = z.object({
  tag_name: z.string(),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
  // Not every compatible host sends both times.
  published_at: z.string().nullish(),
  created_at: z.string().nullish(),
  body: z.string().nullish(),
  assets: z.array(GithubAsset).default([]),
});
type GithubRelease = z.infer<typeof GithubRelease>;

const maxPages = 10;
const pageSize = 100;
const maxPageBytes = 16 << 20;
const maxSignatureBytes = 16 << 10;

type GithubSettings = Omit<Extract<ProxyConfig["source"], { kind: "github" }>, "kind"> & {
  /** Total timeout of one lookup. */
  timeoutMs?: number;
};

/** Reads releases of a repository on a host with GitHub's REST API. */
export function createGithubSource(settings: GithubSettings): ReleaseSource {
  const client = createGithubClient(settings.api, settings.token);
  const repository = new URL(
    `${settings.api.pathname.replace(/\/+$/, "")}/repos/${settings.owner}/${settings.repository}/`,
    settings.api,
  );

  return {
    async latestPublished() {
      const signal = AbortSignal.timeout(settings.timeoutMs ?? lookUpTimeoutMs);
      const published = (await listReleases(client, repository, signal)).flatMap((release) => {
        const time = release.published_at ?? release.created_at;
        const visible = !release.draft && !release.prerelease && typeof time === "string";
        return visible ? [{ ...release, name: release.tag_name, publishedAt: utc(time) }] : [];
      });
      const newest = chooseNewest(published);
      if (newest === null) return null;
      const assets = await readAssets(client, repository, newest.assets, signal);
      const release = { version: newest.version, notes: newest.body ?? "", publishedAt: newest.publishedAt, assets };
      refuseLeak(release, settings.token);
      return release;
    },
    close: () => client.close(),
  };
}

async function listReleases(client: GithubClient, repository: URL, signal: AbortSignal): Promise<GithubRelease[]> {
  const request = (page: URL) => requestApi(client, page, "application/vnd.github+json", maxPageBytes, signal);
  const all: GithubRelease[] = [];
  let page: URL | undefined = new URL(`releases?per_page=${pageSize}`, repository);
  for (let number = 1; page !== undefined && number <= maxPages; number += 1) {
    const answer: UpstreamAnswer = await request(page);
    if (answer.status === 404 && number === 1) return listSimpleHost(request, repository);
    const releases = parseReleases(answer);
    all.push(...releases);
    // A host without links still sends full pages while there are more.
    page =
      answer.nextPage ??
      (releases.length >= pageSize
        ? new URL(`releases?per_page=${pageSize}&page=${number + 1}`, repository)
        : undefined);
  }
  return all;
}

/** Asks a simple or mirrored host, which may have only the plain list or only the newest release. */
async function listSimpleHost(
  request: (page: URL) => Promise<UpstreamAnswer>,
  repository: URL,
): Promise<GithubRelease[]> {
  const list = await request(new URL("releases", repository));
  if (list.status !== 404) return parseReleases(list);
  return parseReleases(await request(new URL("releases/latest", repository)), true);
}

/** Makes one API call. Follows a repository that moved on the same host. */
async function requestApi(
  client: GithubClient,
  address: URL,
  accept: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const answer = await client.request(address, accept, maxBytes, signal);
  if (![301, 302, 307, 308].includes(answer.status) || answer.location === undefined) return answer;
  return client.request(new URL(answer.location, address), accept, maxBytes, signal);
}

function parseReleases(answer: UpstreamAnswer, isOne = false): GithubRelease[] {
  if (answer.status !== 200)
    throw new UpstreamError(`the release host answered ${answer.status} to the list of releases`);
  try {
    const answered: unknown = JSON.parse(answer.text);
    return z.array(GithubRelease).parse(isOne ? [answered] : answered);
  } catch {
    throw new UpstreamError("the release host's list of releases cannot be read");
  }
}

async function readAssets(
  client: GithubClient,
  repository: URL,
  assets: GithubAsset[],
  signal: AbortSignal,
): Promise<SignedAsset[]> {
  const uploaded = assets.filter(({ state }) => state === undefined || state === "uploaded");
  const installers = uploaded.filter(({ name }) => assetPlatforms(name).length > 0);
  const signed = await Promise.all(
    installers.map(async (installer) => {
      const signatureAsset = uploaded.find(({ name }) => name === `${installer.name}.sig`);
      if (signatureAsset === undefined) return [];
      const signature = (await readSmall(client, assetAddress(repository, signatureAsset), signal)).trim();
      if (!isUsableSignature(signature)) return [];
      return [
        {
          name: installer.name,
          signature,
          ...(await presignedAddress(client, assetAddress(repository, installer), signal)),
        },
      ];
    }),
  );
  return signed.flat();
}

/** Returns the asset's own API address if it is on our host, else an address by GitHub's path scheme. */
function assetAddress(repository: URL, asset: GithubAsset): URL {
  const api = sameHostUrl(repository, asset.url);
  if (api !== undefined) return api;
  if (asset.id !== undefined) return new URL(`releases/assets/${encodeURIComponent(asset.id)}`, repository);
  const download = sameHostUrl(repository, asset.browser_download_url);
  if (download === undefined) throw new UpstreamError("the release host gave no address for an asset");
  return download;
}

function sameHostUrl(repository: URL, address: string | undefined): URL | undefined {
  const named = address === undefined ? null : URL.parse(address, repository.href);
  return named?.origin === repository.origin ? named : undefined;
}

async function presignedAddress(
  client: GithubClient,
  asset: URL,
  signal: AbortSignal,
): Promise<{ url: string; validForMs: number }> {
  const answer = await client.request(asset, "application/octet-stream", maxSignatureBytes, signal);
  if (answer.status < 300 || answer.status >= 400) {
    throw new UpstreamError(`the release host answered ${answer.status} where it should redirect to a download`);
  }
  const url = redirectTarget(answer, asset);
  const validForMs = addressValidityMs(url.href, answer.dateMs ?? Date.now());
  if (validForMs <= 0) throw new UpstreamError("the release host gave a download address that is over already");
  return { url: url.href, validForMs };
}

async function readSmall(client: GithubClient, asset: URL, signal: AbortSignal): Promise<string> {
  let address = asset;
  let answer = await client.request(address, "application/octet-stream", maxSignatureBytes, signal);
  for (let hop = 0; hop < 3 && answer.status >= 300 && answer.status < 400; hop += 1) {
    address = redirectTarget(answer, address);
    answer = await client.fetchOpen(address, maxSignatureBytes, signal);
  }
  if (answer.status !== 200) throw new UpstreamError(`the release host answered ${answer.status} to a signature file`);
  return answer.text;
}

function redirectTarget(answer: UpstreamAnswer, from: URL): URL {
  const target = answer.location === undefined ? null : URL.parse(answer.location, from.href);
  if (target === null) throw new UpstreamError("the release host redirected to no address");
  const open =
    (target.protocol === "https:" || target.protocol === "http:") && target.username === "" && target.password === "";
  if (!open) throw new UpstreamError("the release host redirected to an address that is not for everyone");
  return target;
}

function refuseLeak(release: PublishedRelease, token: string | undefined): void {
  // Any text may contain something this short; real credentials are far longer.
  if (token === undefined || token.length < 8) return;
  const forms = [token, encodeURIComponent(token)];
  const text = JSON.stringify(release);
  if (forms.some((form) => text.includes(form)))
    throw new UpstreamError("the release host put our credential into its answer");
}

function utc(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UpstreamError("the release host gave no readable publication time");
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : new Date(time).toISOString();
}
