import { BackOfficeUpdate, UpdatePlatform } from "@comanda/protocol";
import { z } from "zod";
import { type Fetch, fetchJson, readAs } from "./fetch-json.ts";
import { type Offer, guardOffer, isNewer, offerOf } from "./guard-offer.ts";
import { type InstalledClient, platformKeysOf } from "./installed-client.ts";
import { describeProblem } from "./redact-addresses.ts";

export type CheckOutcome =
  | { kind: "up-to-date" }
  | { kind: "available"; offer: Offer }
  | { kind: "failed"; problem: string };

export interface CheckSources {
  /** Base address of the update proxy. */
  proxyUrl: string;
  /** Base address of the back-office, when one is configured. */
  backOfficeUrl: string | undefined;
  fetch: Fetch;
  /** Applies to each source. */
  timeoutMs?: number;
}

/** Entries of other platforms stay unparsed, so that a bad one among them does no harm. */
const Manifest = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  platforms: z.record(z.string(), z.unknown()),
});

const defaultTimeoutMs = 5_000;

/** Asks the proxy, or the back-office if the proxy fails. Never throws: a check must not block the order screen. */
export async function checkForUpdate(sources: CheckSources, client: InstalledClient): Promise<CheckOutcome> {
  try {
    return await checkProxy(sources, client);
  } catch (proxyError) {
    if (sources.backOfficeUrl === undefined) return { kind: "failed", problem: describeProblem(proxyError) };
    try {
      return await checkBackOffice(sources, sources.backOfficeUrl, client);
    } catch (backOfficeError) {
      return {
        kind: "failed",
        problem: `${describeProblem(proxyError)} Back-office: ${describeProblem(backOfficeError)}`,
      };
    }
  }
}

async function checkProxy(
  { proxyUrl, fetch, timeoutMs = defaultTimeoutMs }: CheckSources,
  client: InstalledClient,
): Promise<CheckOutcome> {
  const manifest = await fetchJson(fetch, `${withoutSlash(proxyUrl)}/update/check`, Manifest, timeoutMs);
  if (manifest === null || !isNewer(manifest.version, client.version)) return { kind: "up-to-date" };
  const key = platformKeysOf(client).find((candidate) => Object.hasOwn(manifest.platforms, candidate));
  if (key === undefined) return { kind: "up-to-date" };
  const platform = readAs(UpdatePlatform.extend({ signature: z.string().default("") }), manifest.platforms[key]);
  return { kind: "available", offer: guardOffer(offerOf({ ...manifest, ...platform })) };
}

async function checkBackOffice(
  { fetch, timeoutMs = defaultTimeoutMs }: Omit<CheckSources, "proxyUrl">,
  backOfficeUrl: string,
  { os, arch, version }: InstalledClient,
): Promise<CheckOutcome> {
  const path = `/pos-api/v1/updates/check/${os}/${arch}/${encodeURIComponent(version)}`;
  const update = await fetchJson(fetch, withoutSlash(backOfficeUrl) + path, BackOfficeUpdate, timeoutMs);
  if (update === null || !isNewer(update.version, version)) return { kind: "up-to-date" };
  return { kind: "available", offer: guardOffer(offerOf(update)) };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
