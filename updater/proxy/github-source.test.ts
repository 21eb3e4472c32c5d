import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import type { UpdateManifest } from "@comanda/protocol";
import { createGithubSource } from "./github-source.ts";
import { makeKey } from "../test/make-signature.ts";
import { type HostRelease, startReleaseHost } from "../test/start-release-host.ts";
import { startServer } from "../test/start-server.ts";
import { startTestProxy } from "../test/start-test-proxy.ts";

const token = "ghp_server_side_credential";
const key = makeKey();
const signatureOf = (name: string) => key.sign(Buffer.from(name), `timestamp:1\tfile:${name}`);

function signed(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, `content of ${name}`],
      [`${name}.sig`, `${signatureOf(name)}\n`],
    ]),
  );
}

async function start(releases: HostRelease[], env: Record<string, string> = {}) {
  const host = await startReleaseHost(releases);
  const proxy = await startTestProxy({
    UPDATE_SOURCE: "github:acme/pos",
    UPDATE_GITHUB_API: host.url,
    UPDATE_GITHUB_TOKEN: token,
    ...env,
  });
  const stack = new AsyncDisposableStack();
  stack.use(host);
  stack.use(proxy);
  return { host, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const manifestOf = async (answer: Response) => (await answer.json()) as UpdateManifest;
const upstreamRefusal = { error: "the release host cannot be read", errorCode: "UPSTREAM_UNAVAILABLE" };

it("the proxy returns the newest published release with an address and signature for every platform [UPD-1]", async () => {
  const names = [
    "pos_1.4.0_x64-setup.exe",
    "pos_1.4.0_x64_en-US.msi",
    "pos_1.4.0_aarch64.AppImage",
    "pos_1.4.0_amd64.AppImage",
    "pos_1.4.0_aarch64.dmg",
    "pos_1.4.0_x86_64.dmg",
  ];
  await using at = await start([
    { tag: "v1.4.0", notes: "New kitchen screen", assets: { ...signed(...names), SHA256SUMS: "x" } },
  ]);
  const answer = await at.proxy.check();
  const entry = (name: string) => ({
    url: `${at.host.storageUrl}/v1.4.0/${name}?sig=open`,
    signature: signatureOf(name),
  });

  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  // Ed25519 is deterministic, so signing again gives the signature that was served.
  expect(await answer.json()).toEqual({
    version: "1.4.0",
    notes: "New kitchen screen",
    pub_date: "2026-11-20T10:00:00Z",
    platforms: {
      "windows-x86_64": entry(names[0]!),
      "windows-x86_64-nsis": entry(names[0]!),
      "windows-x86_64-msi": entry(names[1]!),
      "linux-aarch64": entry(names[2]!),
      "linux-x86_64": entry(names[3]!),
      "darwin-aarch64": entry(names[4]!),
      "darwin-x86_64": entry(names[5]!),
    },
  });
});

it("the proxy answers 204 while there are no releases, or only drafts and pre-releases [UPD-2]", async () => {
  const hidden: HostRelease[] = [
    { tag: "v2.0.0", draft: true, publishedAt: null },
    { tag: "v1.9.0", prerelease: true },
    { tag: "v1.8.0", publishedAt: null },
  ];
  await using none = await start([]);
  await using some = await start(hidden);
  for (const at of [none, some]) {
    const answer = await at.proxy.check();
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  }
});

it("the proxy takes the highest version, wherever it is in the list [UPD-3]", async () => {
  await using at = await start([
    { tag: "v1.3.9", publishedAt: "2026-11-21T00:00:00Z" },
    { tag: "nightly", publishedAt: "2026-11-22T00:00:00Z" },
    { tag: "v1.10.0", publishedAt: "2026-11-20T00:00:00Z" },
    { tag: "v1.9.0", publishedAt: "2026-11-01T00:00:00Z" },
  ]);
  expect(await manifestOf(await at.proxy.check())).toMatchObject({ version: "1.10.0", platforms: {} });
});

it("the proxy reads every page of the list of releases [UPD-3]", async () => {
  const releases = Array.from({ length: 250 }, (_, index) => ({ tag: `v2.${index}.0`, draft: index < 249 }));
  await using at = await start(releases);
  expect(await manifestOf(await at.proxy.check())).toMatchObject({ version: "2.249.0" });
  expect(at.host.listCalls()).toBe(3);
});

it("the proxy leaves out assets without a signature, or with an invalid one [UPD-6]", async () => {
  const assets = {
    ...signed("pos_1.4.0_x64-setup.exe"),
    "pos_1.4.0_x64_en-US.msi": "no signature",
    "pos_1.4.0_amd64.AppImage": "empty signature",
    "pos_1.4.0_amd64.AppImage.sig": "",
    "pos_1.4.0_aarch64.AppImage": "far too long a signature",
    "pos_1.4.0_aarch64.AppImage.sig": "x".repeat(5000),
    "pos_1.4.0_x86_64.dmg": "a whole file in place of its signature",
    "pos_1.4.0_x86_64.dmg.sig": "x".repeat(1_000_000),
    "pos_1.4.0_aarch64.dmg": "a page instead of a signature",
    "pos_1.4.0_aarch64.dmg.sig": "<html>Not found</html>",
  };
  await using at = await start([{ tag: "v1.4.0", assets }]);
  expect(Object.keys((await manifestOf(await at.proxy.check())).platforms)).toEqual([
    "windows-x86_64",
    "windows-x86_64-nsis",
  ]);
});

it("the proxy sends its credential to the release host and never to its file storage [UPD-8]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  await at.proxy.check();
  expect(at.host.apiHeaders.map((headers) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${token}`));
  expect(at.host.storageHeaders).toHaveLength(1);
  expect(at.host.storageHeaders[0]).not.toHaveProperty("authorization");
});

it("the proxy sends no credential when none is set [UPD-8]", async () => {
  await using at = await start([{ tag: "v1.4.0" }], { UPDATE_GITHUB_TOKEN: "" });
  expect((await at.proxy.check()).status).toBe(200);
  expect(at.host.apiHeaders[0]).not.toHaveProperty("authorization");
});

it("the proxy refuses to pass on an answer that contains its credential [UPD-8]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  at.host.presignedQuery = () => `?access_token=${token}`;
  const answer = await at.proxy.check();
  expect([answer.status, await answer.json()]).toEqual([502, upstreamRefusal]);
  expect(at.proxy.logged()).not.toContain(token);
});

it.each([
  ["an error", (response: ServerResponse) => response.writeHead(500).end(`trouble with ${token}`)],
  ["a refusal", (response: ServerResponse) => response.writeHead(401).end("bad credentials")],
  ["404 to everything", (response: ServerResponse) => response.writeHead(404).end('{"message":"Not Found"}')],
  ["no JSON", (response: ServerResponse) => response.writeHead(200).end("<html></html>")],
  ["another shape", (response: ServerResponse) => response.writeHead(200).end('[{"tag_name":1}]')],
  [
    "a redirect elsewhere",
    (response: ServerResponse) => response.writeHead(302, { location: "http://127.0.0.2:1/" }).end(),
  ],
  ["a broken connection", (response: ServerResponse) => response.destroy()],
])(
  "the proxy answers 502 when the release host answers with %s, and passes on nothing of it [UPD-9]",
  async (_name, play) => {
    await using at = await start([]);
    at.host.override = (_request, response) => play(response);
    const answer = await at.proxy.check();
    expect([answer.status, await answer.json()]).toEqual([502, upstreamRefusal]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(at.proxy.logged()).toContain("release host failed");
    expect(at.proxy.logged()).not.toContain(token);
  },
);

it("the proxy answers 502 when a download is not redirected [UPD-9]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  at.host.override = (request, response) => {
    if (!request.url!.includes("/assets/")) {
      const list = [
        { id: 1, name: "a_x64-setup.exe" },
        { id: 2, name: "a_x64-setup.exe.sig" },
      ];
      const release = {
        tag_name: "v1.4.0",
        draft: false,
        prerelease: false,
        published_at: "2026-11-20T10:00:00Z",
        assets: list,
      };
      return void response.writeHead(200).end(JSON.stringify([release]));
    }
    response.writeHead(200).end(signatureOf("a"));
  };
  expect((await at.proxy.check()).status).toBe(502);
});

it.each([
  ["says nothing", () => undefined],
  ["stops in the middle", (response: ServerResponse) => void response.writeHead(200).write('[{"tag_name":')],
])("the proxy gives up a release host that %s [UPD-9]", async (_name, play) => {
  await using host = await startReleaseHost([]);
  host.override = (_request, response) => play(response);
  const source = createGithubSource({
    api: new URL(host.url),
    owner: "acme",
    repository: "pos",
    token,
    timeoutMs: 200,
  });
  await expect(source.latestPublished()).rejects.toThrow(/^127\.0\.0\.1:\d+ did not answer in time$/);
  await source.close();
});

it("the proxy reads a release host whose API is below a path [UPD-1]", async () => {
  await using front = await startServer((request, response) => {
    const found = request.url === "/api/v3/repos/acme/pos/releases?per_page=100";
    response
      .writeHead(found ? 200 : 404)
      .end(JSON.stringify([{ tag_name: "1.4.0", created_at: "2026-11-20T12:00:00+02:00" }]));
  });
  await using proxy = await startTestProxy({
    UPDATE_SOURCE: "github:acme/pos",
    UPDATE_GITHUB_API: `${front.url}/api/v3/`,
  });
  expect(await (await proxy.check()).json()).toEqual({
    version: "1.4.0",
    notes: "",
    pub_date: "2026-11-20T10:00:00.000Z",
    platforms: {},
  });
});

it("the proxy calls a failing release host once for many checks, logs it once, and sends Retry-After [UPD-10]", async () => {
  await using at = await start([{ tag: "v1.4.0" }]);
  at.host.override = (_request, response) => response.writeHead(503).end();
  const answers = await Promise.all(Array.from({ length: 50 }, () => at.proxy.check()));
  for (let check = 0; check < 50; check += 1) answers.push(await at.proxy.check());
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
  expect(answers.every(({ headers }) => /^[1-5]$/.test(headers.get("retry-after") ?? ""))).toBe(true);
  expect(at.host.requests).toHaveLength(1);
  expect(at.proxy.logged().split("release host failed")).toHaveLength(2);
});

it("the proxy calls the release host again when the cached failure has expired [UPD-10]", async () => {
  await using at = await start([{ tag: "v1.4.0" }], { UPDATE_CACHE_MS: "200" });
  at.host.override = (_request, response) => response.writeHead(503).end();
  expect((await at.proxy.check()).status).toBe(502);
  at.host.override = undefined;
  await expect.poll(async () => (await at.proxy.check()).status).toBe(200);
});

it("concurrent checks share one lookup, and later ones get the cached answer [UPD-11]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  const answers = await Promise.all(Array.from({ length: 50 }, async () => (await at.proxy.check()).text()));
  expect(new Set(answers).size).toBe(1);
  at.host.releases.unshift({ tag: "v1.5.0" });
  expect(await manifestOf(await at.proxy.check())).toMatchObject({ version: "1.4.0" });
  expect(at.host.listCalls()).toBe(1);
});

it("an answer has caching headers, and a conditional request gets 304 [UPD-13]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  const first = await at.proxy.check();
  const maxAge = Number(/^public, max-age=(\d+)$/.exec(first.headers.get("cache-control")!)![1]);
  expect(maxAge).toBeGreaterThan(290);
  expect(maxAge).toBeLessThanOrEqual(300);

  const again = await at.proxy.check({ "if-none-match": first.headers.get("etag")! });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", first.headers.get("etag")]);
  const other = await at.proxy.check({ "if-none-match": '"something-else"' });
  expect(other.status).toBe(200);
});

it("an answer is cached for at most half the validity of a short-lived address [UPD-16]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  at.host.presignedQuery = () => `?se=${new Date(Date.now() + 120_000).toISOString()}`;
  const maxAge = Number(/max-age=(\d+)/.exec((await at.proxy.check()).headers.get("cache-control")!)![1]);
  expect(maxAge).toBeGreaterThan(50);
  expect(maxAge).toBeLessThanOrEqual(60);
});

it("the proxy answers 502 rather than with an expired address [UPD-16]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }]);
  at.host.presignedQuery = () => `?se=${new Date(Date.now() - 60_000).toISOString()}`;
  expect((await at.proxy.check()).status).toBe(502);
});

it.each(["releases", "releases/latest"])("the proxy reads a release host that knows only %s [UPD-3]", async (only) => {
  const release = { tag_name: "v1.4.0", published_at: "2026-11-20T10:00:00Z" };
  await using host = await startServer((request, response) => {
    const found = request.url === `/repos/acme/pos/${only}`;
    response.writeHead(found ? 200 : 404).end(JSON.stringify(only === "releases" ? [release] : release));
  });
  await using proxy = await startTestProxy({ UPDATE_SOURCE: "github:acme/pos", UPDATE_GITHUB_API: host.url });
  expect(await manifestOf(await proxy.check())).toMatchObject({ version: "1.4.0" });
});

it.each(["url", "browser_download_url"])(
  "the proxy reads assets of which the release host has only the %s [UPD-1]",
  async (field) => {
    await using host = await startServer((request, response) => {
      const asset = (name: string) => ({ name, [field]: `http://${request.headers.host}/files/${name}` });
      const assets = [asset("pos_1.4.0_x64-setup.exe"), asset("pos_1.4.0_x64-setup.exe.sig")];
      const list = [{ tag_name: "v1.4.0", published_at: "2026-11-20T10:00:00Z", assets }];
      if (request.url!.endsWith(".sig")) return void response.writeHead(200).end("signature");
      if (request.url!.startsWith("/files/"))
        return void response.writeHead(302, { location: "http://127.0.0.1:1/x" }).end();
      response.writeHead(200).end(JSON.stringify(list));
    });
    await using proxy = await startTestProxy({ UPDATE_SOURCE: "github:acme/pos", UPDATE_GITHUB_API: host.url });
    expect((await manifestOf(await proxy.check())).platforms["windows-x86_64"]).toEqual({
      url: "http://127.0.0.1:1/x",
      signature: "signature",
    });
  },
);

it("a credential too short to be recognized in an answer is not searched for [UPD-8]", async () => {
  await using at = await start([{ tag: "v1.4.0", assets: signed("pos_1.4.0_x64-setup.exe") }], {
    UPDATE_GITHUB_TOKEN: "sig",
  });
  expect((await at.proxy.check()).status).toBe(200);
});

it("the proxy answers /health and HEAD, and 404 in JSON to everything else [UPD-14]", async () => {
  await using at = await start([{ tag: "v1.4.0" }]);
  expect(await (await fetch(`${at.proxy.url}/health`)).json()).toEqual({ ok: true });
  const head = await fetch(`${at.proxy.url}/update/check`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/update/check/"],
    ["POST", "/update/check"],
    ["GET", "/download/v1/a"],
  ] as const) {
    const answer = await fetch(at.proxy.url + path, { method });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: "there is nothing here", errorCode: "NOT_FOUND" },
    ]);
  }
});
