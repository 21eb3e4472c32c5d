import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import type { UpdateManifest } from "@comanda/protocol";
import { type FolderRelease, makeReleaseFolder } from "../test/make-release-folder.ts";
import { makeKey } from "../test/make-signature.ts";
import { startTestProxy } from "../test/start-test-proxy.ts";
import { readProxyConfig } from "./config.ts";

const content = randomBytes(100_000);
const signature = makeKey().sign(content, "timestamp:1\tfile:pos_1.4.0_x64-setup.exe\tversion:1.4.0");
const release: FolderRelease = {
  version: "1.4.0",
  notes: "# 1.4.0\n\nNew kitchen screen\n",
  files: {
    "pos_1.4.0_x64-setup.exe": content,
    "pos_1.4.0_x64-setup.exe.sig": signature,
    "pos_1.4.0_amd64.AppImage": "unsigned",
  },
};

async function start(releases: FolderRelease[], env: Record<string, string> = {}) {
  const folder = await makeReleaseFolder(releases);
  const proxy = await startTestProxy({ UPDATE_SOURCE: `dir:${folder.root}`, ...env });
  const stack = new AsyncDisposableStack();
  stack.use(folder);
  stack.use(proxy);
  const manifest = async () => (await (await proxy.check()).json()) as UpdateManifest;
  const installer = async () => (await manifest()).platforms["windows-x86_64"]!.url;
  return { folder, proxy, manifest, installer, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const forged = { error: "this download address was not made here", errorCode: "FORBIDDEN" };

it("the proxy serves the newest published folder with its notes, time and signed assets [UPD-20]", async () => {
  await using at = await start([
    release,
    { version: "1.3.0" },
    { version: "1.5.0", published: false },
    { version: "1.6.0-beta.1" },
  ]);
  const time = new Date("2026-11-20T10:00:00Z");
  await utimes(path.join(at.folder.root, "1.4.0", "PUBLISHED"), time, time);
  const manifest = await at.manifest();
  const entry = {
    url: expect.stringContaining(`${at.proxy.url}/download/1.4.0/pos_1.4.0_x64-setup.exe?expires=`),
    signature,
  };
  expect(manifest).toEqual({
    version: "1.4.0",
    notes: "# 1.4.0\n\nNew kitchen screen",
    pub_date: "2026-11-20T10:00:00.000Z",
    platforms: { "windows-x86_64": entry, "windows-x86_64-nsis": entry },
  });
});

it("the proxy answers 204 while no folder is published [UPD-2]", async () => {
  await using at = await start([{ version: "1.4.0", published: false }, { version: "drafts" }]);
  expect((await at.proxy.check()).status).toBe(204);
});

it("the proxy answers 502 when the folder does not exist any more [UPD-9]", async () => {
  await using at = await start([release]);
  await rm(at.folder.root, { recursive: true });
  expect((await at.proxy.check()).status).toBe(502);
});

describe("download addresses", () => {
  it("a download address returns the file, whole or in part, without a credential [UPD-21]", async () => {
    await using at = await start([release]);
    const url = await at.installer();
    const whole = await fetch(url);
    expect(whole.headers.get("content-length")).toBe("100000");
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);

    const ranges: [string, number, string | null, Buffer][] = [
      ["bytes=0-99", 206, "bytes 0-99/100000", content.subarray(0, 100)],
      ["bytes=99990-", 206, "bytes 99990-99999/100000", content.subarray(99_990)],
      ["bytes=-10", 206, "bytes 99990-99999/100000", content.subarray(99_990)],
      ["bytes=99990-200000", 206, "bytes 99990-99999/100000", content.subarray(99_990)],
      ["bytes=0-1,5-6", 200, null, content],
      ["bytes=5-1", 200, null, content],
      ["lines=1-2", 200, null, content],
    ];
    for (const [range, status, contentRange, expected] of ranges) {
      const answer = await fetch(url, { headers: { range } });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([status, contentRange]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true);
    }
    const beyond = await fetch(url, { headers: { range: "bytes=100000-" } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */100000"]);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual([
      200,
      "100000",
      "bytes",
    ]);
  });

  it("an expired download address is refused with 403, and a repeated check returns a valid one [UPD-22]", async () => {
    await using at = await start([release], { UPDATE_URL_TTL_MS: "200" });
    const url = await at.installer();
    // The address contains its expiry time; the loop below waits for exactly that moment.
    const expires = Number(new URL(url).searchParams.get("expires"));
    while (Date.now() < expires) await new Promise((resolve) => setImmediate(resolve));
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: "this download address is over; repeat the check", errorCode: "ADDRESS_EXPIRED" },
    ]);
    expect((await fetch(await at.installer(), { method: "HEAD" })).status).toBe(200);
  });

  it("a changed download address is refused with 403 [UPD-23]", async () => {
    await using at = await start([release, { version: "1.3.0", files: release.files! }]);
    const good = new URL(await at.installer());
    const changes = [
      (url: URL) => url.searchParams.set("expires", String(Date.now() + 9_000_000)),
      (url: URL) => url.searchParams.set("signature", "x"),
      (url: URL) => url.searchParams.delete("signature"),
      // The last character has two unused bits: another character there decodes to the same bytes.
      (url: URL) => (url.search = url.search.replace(/.$/, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1))),
      (url: URL) => (url.search += "="),
      (url: URL) => url.searchParams.append("expires", "1"),
      (url: URL) => (url.pathname = url.pathname.replace("1.4.0/", "1.3.0/")),
      (url: URL) => (url.pathname = url.pathname.replace(/[^/]*$/, "..%2F..%2Fetc%2Fpasswd")),
      (url: URL) => (url.pathname = url.pathname.replace(/[^/]*$/, "pos_1.4.0_amd64.AppImage")),
    ];
    for (const change of changes) {
      const url = new URL(good);
      change(url);
      const answer = await fetch(url);
      expect([url.search, answer.status, await answer.json()]).toEqual([url.search, 403, forged]);
    }
  });

  it("another proxy's download address is accepted only if both have the same secret [UPD-23]", async () => {
    await using at = await start([release], { UPDATE_URL_SECRET: "a secret that two proxies share…" });
    const root = `dir:${at.folder.root}`;
    await using same = await startTestProxy({
      UPDATE_SOURCE: root,
      UPDATE_URL_SECRET: "a secret that two proxies share…",
    });
    await using other = await startTestProxy({ UPDATE_SOURCE: root });
    const url = new URL(await at.installer());
    expect((await fetch(same.url + url.pathname + url.search)).status).toBe(200);
    expect((await fetch(other.url + url.pathname + url.search)).status).toBe(403);
  });

  it("download addresses stay valid over a restart without a configured secret [UPD-23]", async () => {
    await using at = await start([release]);
    const url = new URL(await at.installer());
    await using next = await startTestProxy({ UPDATE_SOURCE: `dir:${at.folder.root}` });
    expect((await fetch(next.url + url.pathname + url.search)).status).toBe(200);
    const { mode, size } = await stat(path.join(at.folder.root, ".url-secret"));
    expect(size).toBe(43);
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o600);
  });

  it("an empty secret file, as left by a power cut, is replaced by a new secret, which then stays [UPD-23]", async () => {
    await using folder = await makeReleaseFolder();
    await writeFile(path.join(folder.root, ".url-secret"), "");
    const read = () => readProxyConfig({ UPDATE_SOURCE: `dir:${folder.root}` });
    const first = read();
    expect(first.warnings).toEqual([]);
    expect(first.source).toMatchObject({ secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(read()).toEqual(first);
    expect(await readdir(folder.root)).toEqual([".url-secret"]);
  });

  it("proxies that begin to share a folder at the same time use one secret [UPD-23]", async () => {
    const config = fileURLToPath(new URL("config.ts", import.meta.url));
    await using folder = await makeReleaseFolder();
    const roots = Array.from({ length: 40 }, (_, index) => path.join(folder.root, String(index)));
    for (const [index, root] of roots.entries()) {
      await mkdir(root);
      // An empty file, as left by a power cut.
      if (index > 5) await writeFile(path.join(root, ".url-secret"), "");
    }
    const script = `
      const { parentPort, workerData: { started, config, all, roots } } = require("node:worker_threads");
      import(config).then(({ readProxyConfig }) => {
        parentPort.postMessage(roots.map((root, index) => {
          Atomics.add(started, 0, 1);
          while (Atomics.load(started, 0) < all * (index + 1));
          return readProxyConfig({ UPDATE_SOURCE: "dir:" + root }).source.secret;
        }));
      });`;
    const workerData = { started: new Int32Array(new SharedArrayBuffer(4)), config, all: 2, roots };
    const workers = Array.from({ length: 2 }, () => new Worker(script, { eval: true, workerData }));
    const [one, other] = await Promise.all(workers.map((worker): Promise<unknown[]> => once(worker, "message")));
    expect(one).toEqual(other);
    for (const root of roots) expect(await readdir(root)).toEqual([".url-secret"]);
  });

  it("the addresses' secret lasts for one start if it cannot be stored, and the log warns [UPD-23]", async () => {
    await using folder = await makeReleaseFolder();
    await mkdir(path.join(folder.root, ".url-secret"));
    const { source, warnings } = readProxyConfig({ UPDATE_SOURCE: `dir:${folder.root}` });
    expect(source).toMatchObject({ secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(warnings).toEqual([expect.stringContaining("UPDATE_URL_SECRET is not set")]);
  });

  it("a download address returns 404 when its release is unpublished or removed [UPD-24]", async () => {
    await using at = await start([release]);
    const url = await at.installer();
    await rm(path.join(at.folder.root, "1.4.0", "PUBLISHED"));
    expect((await fetch(url)).status).toBe(404);
    await at.folder.add({ version: "1.4.0" });
    await rm(path.join(at.folder.root, "1.4.0", "pos_1.4.0_x64-setup.exe"));
    expect((await fetch(url)).status).toBe(404);
  });

  it.skipIf(process.platform === "win32")(
    "a download address never leads out of the release folder by a link [UPD-24]",
    async () => {
      await using at = await start([release]);
      const url = await at.installer();
      const file = path.join(at.folder.root, "1.4.0", "pos_1.4.0_x64-setup.exe");
      await writeFile(path.join(at.folder.root, "private.txt"), "private");
      await rm(file);
      await symlink(path.join(at.folder.root, "private.txt"), file);
      expect((await fetch(url)).status).toBe(404);
    },
  );

  it("a folder or a link with an installer's name gets no download address [UPD-24]", async () => {
    await using at = await start([release]);
    const inside = (name: string) => path.join(at.folder.root, "1.4.0", name);
    await mkdir(inside("pos_1.4.0_aarch64.AppImage"));
    await writeFile(inside("pos_1.4.0_aarch64.AppImage.sig"), signature);
    await writeFile(inside("pos_1.4.0_x64_en-US.msi"), content);
    await mkdir(inside("pos_1.4.0_x64_en-US.msi.sig"));
    if (process.platform !== "win32") await symlink(inside("NOTES.md"), inside("pos_1.4.0_aarch64.dmg"));
    await writeFile(inside("pos_1.4.0_aarch64.dmg.sig"), signature);
    expect(Object.keys((await at.manifest()).platforms)).toEqual(["windows-x86_64", "windows-x86_64-nsis"]);
  });

  it("a download address has the configured public address, and is never logged [UPD-25]", async () => {
    await using at = await start([release], { UPDATE_PUBLIC_URL: "https://updates.example/comanda/" });
    const url = await at.installer();
    expect(url).toMatch(/^https:\/\/updates\.example\/comanda\/download\/1\.4\.0\//);
    const { pathname, search, searchParams } = new URL(url);
    await (await fetch(at.proxy.url + pathname.replace("/comanda", "") + search)).arrayBuffer();
    expect(at.proxy.logged()).toContain('"msg":"download"');
    expect(at.proxy.logged()).not.toContain(searchParams.get("signature"));
  });
});
