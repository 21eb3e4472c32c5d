import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { startServer } from "../test/start-server.ts";
import { type CheckOutcome, checkForUpdate } from "./check.ts";
import type { Fetch } from "./fetch-json.ts";
import type { InstalledClient } from "./installed-client.ts";

const client: InstalledClient = { version: "1.3.0", os: "windows", arch: "x86_64", bundle: "nsis" };
const entry = (url: string, signature = "c2ln") => ({ url, signature });
const manifest = {
  version: "1.4.0",
  notes: "New",
  pub_date: "2026-11-20T10:00:00Z",
  platforms: { "windows-x86_64": entry("https://files.example/a") },
};
const update = {
  version: "1.4.0",
  notes: "New",
  pub_date: "2026-11-20T10:00:00Z",
  url: "https://files.example/b",
  signature: "c2ln",
};
const offer = {
  version: "1.4.0",
  notes: "New",
  publishedAt: "2026-11-20T10:00:00Z",
  url: "https://files.example/a",
  signature: "c2ln",
};

const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(JSON.stringify(body));
const nothing: RequestListener = (_request, response) => void response.writeHead(204).end();
const silent: RequestListener = () => undefined;

interface Setup {
  proxy: RequestListener;
  backOffice?: RequestListener;
  client?: InstalledClient;
}

/** Runs one check. Returns its outcome and the paths requested from the back-office. */
async function check({
  proxy,
  backOffice,
  client: installed = client,
}: Setup): Promise<{ outcome: CheckOutcome; requests: string[] }> {
  const requests: string[] = [];
  await using proxyServer = await startServer(proxy);
  await using backOfficeServer = await startServer((request, response) => {
    requests.push(request.url!);
    (backOffice ?? nothing)(request, response);
  });
  const backOfficeUrl = backOffice === undefined ? undefined : backOfficeServer.url;
  // A source that answers gets a long timeout, as the machine may be busy.
  const timeoutMs = proxy === silent || backOffice === silent ? 300 : 20_000;
  const outcome = await checkForUpdate({ proxyUrl: `${proxyServer.url}/`, backOfficeUrl, fetch, timeoutMs }, installed);
  return { outcome, requests };
}

const page: RequestListener = (_request, response) => void response.end("<html>sign in to the Wi-Fi</html>");

describe("answers of the proxy", () => {
  const unreadable = { kind: "failed", problem: "The update service's answer cannot be read." };

  it.each([
    ["nothing published", nothing, { kind: "up-to-date" }],
    ["a newer version", json(manifest), { kind: "available", offer }],
    ["the same version", json({ ...manifest, version: "1.3.0" }), { kind: "up-to-date" }],
    ["a lower version", json({ ...manifest, version: "1.2.9" }), { kind: "up-to-date" }],
    ["a pre-release of the same version", json({ ...manifest, version: "1.3.0-rc.1" }), { kind: "up-to-date" }],
    [
      "a newer version, but not for this system",
      json({ ...manifest, platforms: { "linux-x86_64": entry("https://x.example/") } }),
      { kind: "up-to-date" },
    ],
    [
      "a broken entry of another system",
      json({ ...manifest, platforms: { ...manifest.platforms, "linux-x86_64": 7 } }),
      { kind: "available", offer },
    ],
    [
      "no signature",
      json({ ...manifest, platforms: { "windows-x86_64": { url: "https://files.example/a" } } }),
      { kind: "failed", problem: "The offered update is not signed." },
    ],
    [
      "an empty signature",
      json({ ...manifest, platforms: { "windows-x86_64": entry("https://x.example/", " ") } }),
      { kind: "failed", problem: "The offered update is not signed." },
    ],
    [
      "an address without TLS",
      json({ ...manifest, platforms: { "windows-x86_64": entry("http://files.example/a") } }),
      { kind: "failed", problem: "The offered download address is not secure." },
    ],
    [
      "a file address",
      json({ ...manifest, platforms: { "windows-x86_64": entry("file:///c:/a.exe") } }),
      { kind: "failed", problem: "The offered download address is not secure." },
    ],
    [
      "no version number",
      json({ ...manifest, version: "newest" }),
      { kind: "failed", problem: "The offered version is no version number." },
    ],
    ["another program's answer", json({ ok: true }), unreadable],
    ["an entry that is none", json({ ...manifest, platforms: { "windows-x86_64": 7 } }), unreadable],
    ["a page", page, unreadable],
    ["an error", json({ error: "x" }, 502), { kind: "failed", problem: "The update service answered 502." }],
  ] as [string, RequestListener, CheckOutcome][])(
    "a check handles the proxy's answer: %s [UPD-65]",
    async (_name, proxy, expected) => {
      expect((await check({ proxy })).outcome).toEqual(expected);
    },
  );

  it("a check prefers the entry of its own kind of installer over the general one [UPD-66]", async () => {
    const platforms = {
      "windows-x86_64": entry("https://files.example/setup"),
      "windows-x86_64-nsis": entry("https://files.example/nsis"),
      "windows-x86_64-msi": entry("https://files.example/msi"),
    };
    const urlFor = async (bundle: "nsis" | "msi", keys: string[]) => {
      const shown = Object.fromEntries(Object.entries(platforms).filter(([key]) => keys.includes(key)));
      const { outcome } = await check({
        proxy: json({ ...manifest, platforms: shown }),
        client: { ...client, bundle },
      });
      return outcome.kind === "available" ? outcome.offer.url : outcome.kind;
    };
    expect(await urlFor("nsis", Object.keys(platforms))).toBe("https://files.example/nsis");
    expect(await urlFor("nsis", ["windows-x86_64"])).toBe("https://files.example/setup");
    expect(await urlFor("msi", Object.keys(platforms))).toBe("https://files.example/msi");
    expect(await urlFor("msi", ["windows-x86_64", "windows-x86_64-nsis"])).toBe("up-to-date");
  });
});

describe("failures of the proxy", () => {
  const dropped: RequestListener = (request) => void request.socket.destroy();
  const moved: RequestListener = (_request, response) =>
    void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  const endless: RequestListener = (_request, response) => void response.end(Buffer.alloc(2 << 20, " "));

  it.each([
    ["does not answer", silent],
    ["drops the connection", dropped],
    ["answers 502", json({}, 502)],
    ["answers a page", page],
    ["redirects", moved],
    ["answers without end", endless],
    [
      "offers something unsigned",
      json({ ...manifest, platforms: { "windows-x86_64": entry("https://x.example/", "") } }),
    ],
  ])("a check uses the back-office when the proxy %s [UPD-67]", async (_name, proxy) => {
    const { outcome, requests } = await check({ proxy, backOffice: json(update) });
    expect(outcome).toEqual({ kind: "available", offer: { ...offer, url: "https://files.example/b" } });
    expect(requests).toEqual(["/pos-api/v1/updates/check/windows/x86_64/1.3.0"]);
  });

  it.each([
    ["has nothing", nothing, { kind: "up-to-date" }],
    ["has a lower version", json({ ...update, version: "1.2.0" }), { kind: "up-to-date" }],
    [
      "is down too",
      json({}, 503),
      { kind: "failed", problem: "The update service answered 502. Back-office: The update service answered 503." },
    ],
    [
      "offers something unsigned",
      json({ ...update, signature: undefined }),
      { kind: "failed", problem: "The update service answered 502. Back-office: The offered update is not signed." },
    ],
  ] as [string, RequestListener, CheckOutcome][])(
    "the outcome is the back-office's when the proxy fails and the back-office %s [UPD-67]",
    async (_name, backOffice, expected) => {
      expect((await check({ proxy: json({}, 502), backOffice })).outcome).toEqual(expected);
    },
  );

  it("a check does not call the back-office while the proxy answers [UPD-67]", async () => {
    expect((await check({ proxy: nothing, backOffice: json(update) })).requests).toEqual([]);
  });
});

describe("back-office without TLS", () => {
  /** Answers like the back-office for a host on the LAN. */
  const onLan =
    (body: unknown): Fetch =>
    (address) => {
      const url = new URL(address);
      return url.host === "192.168.1.5:8069"
        ? Promise.resolve(Response.json(body))
        : Promise.reject(new Error(`${url.host} does not answer`));
    };
  const check = (body: unknown) => {
    const sources = { proxyUrl: "https://updates.example", backOfficeUrl: "http://192.168.1.5:8069" };
    return checkForUpdate({ ...sources, fetch: onLan(body) }, client);
  };

  it("a back-office in the restaurant's network is called over plain http, and its offer accepted [UPD-92]", async () => {
    expect(await check(update)).toEqual({ kind: "available", offer: { ...offer, url: "https://files.example/b" } });
  });

  it.each([
    ["an installer over plain http", { ...update, url: "http://192.168.1.5:8069/a" }, "not secure"],
    ["an unsigned installer", { ...update, signature: "" }, "not signed"],
  ])("a back-office without TLS cannot offer %s [UPD-92]", async (_name, answer, problem) => {
    expect(await check(answer)).toMatchObject({ kind: "failed", problem: expect.stringContaining(problem) });
  });

  it("a back-office without TLS cannot offer an older version [UPD-92]", async () => {
    expect(await check({ ...update, version: "1.2.0" })).toEqual({ kind: "up-to-date" });
  });
});
