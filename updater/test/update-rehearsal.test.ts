// The complete update path: release folder → signing → proxy → check → overlay → download with progress → verification →
// installer, and every way in which it must fail.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { UpdateManifest } from "@comanda/protocol";
import type { Bundle, CheckOutcome } from "../client/index.ts";
import { makeReleaseFolder } from "./make-release-folder.ts";
import { makeKey } from "./make-signature.ts";
import { installedContent, rehearse } from "./rehearse.ts";
import { startServer } from "./start-server.ts";
import { startTestProxy } from "./start-test-proxy.ts";
import { runSign } from "./system-tool.ts";

const sizeBytes = 3_000_000;
const names: Record<Bundle, string> = {
  nsis: "comanda-hub_1.4.0_x64-setup.exe",
  msi: "comanda-hub_1.4.0_x64_en-US.msi",
  appimage: "comanda-hub_1.4.0_amd64.AppImage",
  dmg: "comanda-hub_1.4.0_aarch64.dmg",
};

let keys: string;
let ownKey: string;
let otherKey: string;
beforeAll(async () => {
  keys = await mkdtemp(path.join(tmpdir(), "comanda-keys-"));
  runSign(["--generate", path.join(keys, "own")]);
  runSign(["--generate", path.join(keys, "other")]);
  [ownKey, otherKey] = (await Promise.all(
    ["own.pub", "other.pub"].map((name) => readFile(path.join(keys, name), "utf8")),
  )) as [string, string];
});
afterAll(() => rm(keys, { recursive: true }));

interface Release {
  version?: string;
  key?: "own" | "other";
  bundles?: Bundle[];
  env?: Record<string, string>;
}

/** Publishes a release, signed by the signing program, behind a running proxy. */
async function release({ version = "1.4.0", key = "own", bundles = ["appimage"], env = {} }: Release = {}) {
  const contents = Object.fromEntries(bundles.map((bundle) => [names[bundle], randomBytes(sizeBytes)]));
  const folder = await makeReleaseFolder();
  const target = await folder.add({ version, notes: "New kitchen screen", files: contents });
  runSign(["--version", version, target], { UPDATE_SIGNING_KEY_FILE: path.join(keys, `${key}.key`) });
  const proxy = await startTestProxy({ UPDATE_SOURCE: `dir:${folder.root}`, ...env });
  const stack = new AsyncDisposableStack();
  stack.use(folder);
  stack.use(proxy);
  const file = (bundle: Bundle) => path.join(target, names[bundle]);
  return {
    proxy,
    contents,
    file,
    content: contents[names[bundles[0]!]]!,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const offer = { version: "1.4.0", notes: "New kitchen screen", publishedAt: expect.any(String) };
const overlay = (problem: string | null) => ({ name: "overlay", offer, action: "install", problem, notice: null });

describe("good updates", () => {
  it("an update is found, downloaded with progress, verified, and replaces the AppImage [UPD-70]", async () => {
    await using at = await release();
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey] });
    await client.session.settled();
    expect(client.states.at(-1)).toEqual(overlay(null));

    client.session.choose("install");
    await client.session.settled();
    await client.quit;
    expect(client.shown).toEqual(["checking", "overlay", "downloading", "verifying", "installing"]);
    const progress = client.states.flatMap((state) =>
      state.name === "downloading" && state.progress !== null ? [state.progress] : [],
    );
    expect(progress.at(-1)).toMatchObject({ transferredBytes: sizeBytes, totalBytes: sizeBytes });
    expect((await installedContent(client)).equals(at.content)).toBe(true);
    expect((await stat(client.appImage)).mode & 0o777).toBe(0o755);
    expect(client.relaunched).toEqual([client.appImage]);
    expect(await client.cachedFiles()).toEqual([]);
  });

  it.each([
    ["nsis", (file: string) => [[file, "--updated", "--force-run"]]],
    ["msi", (file: string) => [["C:\\Windows\\System32\\msiexec.exe", "/i", file, "/qr", "/norestart"]]],
  ] as [Bundle, (file: string) => string[][]][])(
    "an update starts the %s installer, then the app quits [UPD-71]",
    async (bundle, started) => {
      await using at = await release({ bundles: [bundle] });
      await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], bundle });
      await client.session.settled();
      client.session.choose("install");
      await client.session.settled();
      await client.quit;
      const [cachedFile] = await client.cachedFiles();
      const file = path.join(client.cacheFolder, cachedFile!);
      expect(client.started).toEqual(started(file));
      expect((await readFile(file)).equals(at.content)).toBe(true);
      expect(client.states.at(-1)).toEqual({ name: "installing", offer });
    },
  );

  it("an update starts the NSIS installer with elevated rights when the system demands it [UPD-71]", async () => {
    await using at = await release({ bundles: ["nsis"] });
    Object.assign(process, { resourcesPath: "C:/hub/resources" });
    await using client = await rehearse({
      proxyUrl: at.proxy.url,
      publicKeys: [ownKey],
      bundle: "nsis",
      onStart: (command) =>
        command.endsWith("elevate.exe")
          ? Promise.resolve()
          : Promise.reject(Object.assign(new Error("spawn EACCES"), { code: "EACCES" })),
    });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    await client.quit;
    expect(client.started.map(([command = ""]) => path.basename(command))).toEqual([
      expect.stringMatching(/setup\.exe$/),
      "elevate.exe",
    ]);
    expect(client.states.at(-1)).toEqual({ name: "installing", offer });
    Reflect.deleteProperty(process, "resourcesPath");
  });

  it("an update on macOS opens the disk image and shows what is left to do [UPD-72]", async () => {
    await using at = await release({ bundles: ["dmg"] });
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], bundle: "dmg" });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.started).toEqual([["/usr/bin/open", path.join(client.cacheFolder, "comanda-hub_1.4.0_aarch64.dmg")]]);
    expect(client.states.at(-1)).toEqual({
      ...overlay(null),
      notice: expect.stringContaining("Drag Comanda Hub into Applications"),
    });
    client.session.choose("later");
    expect(client.states.at(-1)).toEqual({ name: "app" });
  });

  it("an update can be postponed with 'Later', and is shown again at the next launch [UPD-73]", async () => {
    await using at = await release();
    for (const _launch of [1, 2]) {
      await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey] });
      await client.session.settled();
      client.session.choose("later");
      expect(client.shown).toEqual(["checking", "overlay", "app"]);
      expect(await installedContent(client)).toEqual(Buffer.from("the installed version"));
    }
  });

  it("an update by either key is accepted by a client that trusts the old and the new key [UPD-42]", async () => {
    for (const key of ["own", "other"] as const) {
      await using at = await release({ key });
      await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [otherKey, ownKey] });
      await client.session.settled();
      client.session.choose("install");
      await client.session.settled();
      expect(client.shown.at(-1)).toBe("installing");
    }
  });

  it("an update is found through the back-office when the proxy is down [UPD-67]", async () => {
    await using at = await release();
    const { version, notes, pub_date, platforms } = (await (await at.proxy.check()).json()) as UpdateManifest;
    await using backOffice = await startServer(
      (_request, response) =>
        void response.end(JSON.stringify({ version, notes, pub_date, ...platforms["linux-x86_64"] })),
    );
    await using client = await rehearse({
      proxyUrl: "http://127.0.0.1:1",
      backOfficeUrl: backOffice.url,
      publicKeys: [ownKey],
    });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect((await installedContent(client)).equals(at.content)).toBe(true);
  });

  it("an update is downloaded after a repeated check when its address has expired [UPD-74]", async () => {
    await using at = await release({ env: { UPDATE_URL_TTL_MS: "300" } });
    await using client = await rehearse({
      proxyUrl: at.proxy.url,
      publicKeys: [ownKey],
      onCheck: (outcome, nth) => (nth === 2 ? untilOver(outcome) : outcome),
    });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.shown).toEqual(["checking", "overlay", "downloading", "verifying", "installing"]);
  });
});

/** Waits until the address in a check's outcome has expired, according to its own query. */
async function untilOver(outcome: CheckOutcome): Promise<CheckOutcome> {
  const expires = outcome.kind === "available" ? Number(new URL(outcome.offer.url).searchParams.get("expires")) : 0;
  while (Date.now() < expires) await new Promise((resolve) => setImmediate(resolve));
  return outcome;
}

describe("refused updates", () => {
  type At = Awaited<ReturnType<typeof release>>;
  interface Spoilt {
    title: string;
    release?: Release;
    spoil?: (at: At) => Promise<void>;
    onCheck?: (outcome: CheckOutcome, at: At) => CheckOutcome | Promise<CheckOutcome>;
    problem: string | RegExp;
  }
  const replaceOffer = (outcome: CheckOutcome, change: object): CheckOutcome =>
    outcome.kind === "available" ? { kind: "available", offer: { ...outcome.offer, ...change } } : outcome;

  const cases: Spoilt[] = [
    {
      title: "signed with a key that the client does not know",
      release: { key: "other" },
      problem:
        /^The signature was created with a different key than the one provided \(signed with key [0-9A-F]{16}, expected [0-9A-F]{16}\)$/,
    },
    {
      title: "a flipped byte",
      async spoil(at) {
        const content = await readFile(at.file("appimage"));
        content[1_000_000]! ^= 1;
        await writeFile(at.file("appimage"), content);
      },
      problem: "The signature verification failed",
    },
    {
      title: "a truncated file",
      spoil: (at) => truncate(at.file("appimage"), sizeBytes - 1),
      problem: "The signature verification failed",
    },
    {
      title: "more bytes than announced",
      spoil: (at) => appendFile(at.file("appimage"), "more"),
      problem: "The downloaded file is larger than announced.",
    },
    {
      title: "another system's installer, validly signed",
      release: { bundles: ["appimage", "nsis"] },
      async onCheck(outcome, at) {
        const manifest = (await (await at.proxy.check()).json()) as UpdateManifest;
        return replaceOffer(outcome, manifest.platforms["windows-x86_64"]!);
      },
      problem: "The downloaded file is signed, but not as an installer for this system.",
    },
    {
      title: "a signature that is none",
      onCheck: (outcome) => replaceOffer(outcome, { signature: "c2lnbmVk" }),
      problem: "Invalid encoding in minisign data",
    },
    {
      title: "an address that is over every time",
      release: { env: { UPDATE_URL_TTL_MS: "200" } },
      onCheck: untilOver,
      problem: "The download address has expired.",
    },
    {
      title: "a file that is gone",
      spoil: (at) => rm(at.file("appimage")),
      onCheck: (outcome) => outcome,
      problem: 'Cannot download "http://127.0.0.1/…", status 404: Not Found',
    },
  ];

  it.each(cases)(
    "an update is not installed: $title [UPD-75]",
    async ({ release: wanted, spoil, onCheck, problem }) => {
      await using at = await release(wanted);
      await using client = await rehearse({
        proxyUrl: at.proxy.url,
        publicKeys: [ownKey],
        onCheck: (outcome, nth) => (nth > 1 && onCheck !== undefined ? onCheck(outcome, at) : outcome),
      });
      await client.session.settled();
      // The proxy has already answered: changes from here on happen without its knowledge.
      await spoil?.(at);
      client.session.choose("install");
      await client.session.settled();

      expect(client.states.at(-1)).toEqual(
        overlay(typeof problem === "string" ? problem : (expect.stringMatching(problem) as string)),
      );
      expect(client.shown).not.toContain("installing");
      expect([client.started, client.relaunched, await client.cachedFiles()]).toEqual([[], [], []]);
      expect(await installedContent(client)).toEqual(Buffer.from("the installed version"));
      // A pre-signed address is a credential: neither the screen nor the log may contain it.
      expect(JSON.stringify([client.states, client.logged])).not.toContain("signature=");
    },
  );

  it.each([
    [
      "no version",
      `file:${names.appimage}`,
      "1.4.0",
      "The downloaded file is signed, but its signature names no version or no file.",
    ],
    [
      "no file",
      "version:1.4.0",
      "1.4.0",
      "The downloaded file is signed, but its signature names no version or no file.",
    ],
    [
      "neither",
      "timestamp:1",
      "1.4.0",
      "The downloaded file is signed, but its signature names no version or no file.",
    ],
    [
      "another version than is offered",
      `file:${names.appimage}\tversion:1.2.0`,
      "1.4.0",
      "The downloaded file is signed as version 1.2.0, not 1.4.0.",
    ],
    [
      "an older version than this one",
      `file:${names.appimage}\tversion:1.2.0`,
      "1.2.0",
      "The offered version is not newer than this one.",
    ],
  ])(
    "an update with a trusted key is not installed if its signature names %s [UPD-93]",
    async (_title, comment, version, problem) => {
      await using at = await release();
      const key = makeKey();
      const signature = key.sign(at.content, comment);
      const onCheck = (outcome: CheckOutcome, nth: number) =>
        nth > 1 ? replaceOffer(outcome, { version, signature }) : outcome;
      await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey, key.publicKey], onCheck });
      await client.session.settled();
      client.session.choose("install");
      await client.session.settled();
      expect(client.states.at(-1)).toMatchObject({ name: "overlay", problem });
      expect([client.started, client.relaunched, await client.cachedFiles()]).toEqual([[], [], []]);
      expect(await installedContent(client)).toEqual(Buffer.from("the installed version"));
    },
  );

  it("an update is not installed when the connection breaks in the middle [UPD-75]", async () => {
    await using at = await release();
    await using cut = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": sizeBytes });
      response.write(at.content.subarray(0, 500_000), () => response.destroy());
    });
    const onCheck = (outcome: CheckOutcome) => replaceOffer(outcome, { url: `${cut.url}/cut` });
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], onCheck });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.states.at(-1)).toEqual(overlay(expect.any(String) as string));
    expect([client.shown.at(-1), client.relaunched, await client.cachedFiles()]).toEqual(["overlay", [], []]);
  });

  it("an update is not installed when the disk is full before the download ends [UPD-75]", async () => {
    await using at = await release();
    const cache = await mkdtemp(path.join(tmpdir(), "comanda-cache-"));
    onTestFinished(() => rm(cache, { recursive: true }));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "comanda-test", cache]);
    if (mounted.status !== 0) return;
    onTestFinished(() => void spawnSync("umount", ["-l", cache]));
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], cache });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.states.at(-1)).toEqual(overlay("ENOSPC: no space left on device, write"));
    expect([client.relaunched, await client.cachedFiles()]).toEqual([[], []]);
    expect(await installedContent(client)).toEqual(Buffer.from("the installed version"));
  });

  it("an update without enough disk space is not downloaded, and the overlay says what is missing [UPD-226]", async () => {
    await using at = await release();
    const requests: [string, number][] = [];
    let downloads = 0;
    await using host = await startServer((_request, response) => {
      downloads += 1;
      response.end(at.content);
    });
    await using client = await rehearse({
      proxyUrl: at.proxy.url,
      publicKeys: [ownKey],
      onCheck: (outcome) => replaceOffer(outcome, { url: `${host.url}/file` }),
      requireSpace(folder, bytes) {
        requests.push([folder, bytes]);
        throw new Error("the disk has 100 MB free, and 262 MB are needed");
      },
    });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.states.at(-1)).toEqual(overlay("the disk has 100 MB free, and 262 MB are needed"));
    expect([requests, downloads]).toEqual([[[client.cacheFolder, 2 * sizeBytes]], 0]);
  });

  it.each(["in the middle", "before its first byte"])(
    "a download that stalls %s is aborted, and the person can continue [UPD-103]",
    async (where) => {
      await using at = await release();
      await using silent = await startServer((_request, response) => {
        if (where !== "in the middle") return;
        response.writeHead(200, { "content-length": sizeBytes });
        response.write(at.content.subarray(0, 500_000));
      });
      const onCheck = (outcome: CheckOutcome) => replaceOffer(outcome, { url: `${silent.url}/silent` });
      const client = { proxyUrl: at.proxy.url, publicKeys: [ownKey], stallMs: 1_000, onCheck };
      await using rehearsed = await rehearse(client);
      await rehearsed.session.settled();
      rehearsed.session.choose("install");
      await rehearsed.session.settled();
      expect(rehearsed.states.at(-1)).toEqual(
        overlay("Nothing more arrives of the update: the connection is too bad, or gone."),
      );
      expect([rehearsed.relaunched, await rehearsed.cachedFiles()]).toEqual([[], []]);
      rehearsed.session.choose("later");
      expect(rehearsed.states.at(-1)).toEqual({ name: "app" });
    },
  );

  it("an endless download is aborted at the announced size [UPD-76]", async () => {
    await using at = await release();
    let sent = 0;
    await using endless = await startServer((_request, response) => {
      const pour = () => {
        for (let more = true; more && !response.destroyed; sent += at.content.length) more = response.write(at.content);
      };
      response.on("drain", pour);
      pour();
    });
    const onCheck = (outcome: CheckOutcome) => replaceOffer(outcome, { url: `${endless.url}/endless` });
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], onCheck });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(sent).toBeGreaterThan(sizeBytes);
    expect(client.states.at(-1)).toEqual(overlay("The downloaded file is larger than announced."));
    expect(await client.cachedFiles()).toEqual([]);
  });

  it("an unsigned release is left out by the proxy, and the client continues to the app [UPD-6]", async () => {
    await using at = await release();
    await rm(`${at.file("appimage")}.sig`);
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey] });
    await client.session.settled();
    expect(client.shown).toEqual(["checking", "app"]);
  });

  it("a lower or equal version is not offered, and the app opens [UPD-65]", async () => {
    await using at = await release();
    for (const version of ["1.4.0", "1.5.0", "2.0.0-beta.1"]) {
      await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], version });
      await client.session.settled();
      expect(client.shown).toEqual(["checking", "app"]);
    }
  });

  it("'Continue Anyway' opens the order screen when the proxy and the back-office are down [UPD-77]", async () => {
    await using client = await rehearse({
      proxyUrl: "http://127.0.0.1:1",
      backOfficeUrl: "http://127.0.0.1:1",
      publicKeys: [ownKey],
    });
    await client.session.settled();
    expect(client.states.at(-1)).toMatchObject({ name: "fallback" });
    client.session.choose("continue-anyway");
    expect(client.states.at(-1)).toEqual({ name: "app" });
  });

  it("a file that was changed after its verification is not installed [UPD-78]", async () => {
    await using at = await release();
    const found = Promise.withResolvers<Extract<CheckOutcome, { kind: "available" }>>();
    const onCheck = (outcome: CheckOutcome) => {
      if (outcome.kind === "available") found.resolve(outcome);
      return outcome;
    };
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey], onCheck });
    const hooks = { onProgress: () => undefined, onTransferred: () => undefined };
    await client.engine.download((await found.promise).offer, hooks);
    const cachedFile = path.join(client.cacheFolder, (await client.cachedFiles())[0]!);
    await appendFile(cachedFile, "x");
    await expect(client.engine.install()).rejects.toThrow("The downloaded file is not the one that was verified.");
    expect([client.relaunched, await client.cachedFiles()]).toEqual([[], []]);

    // A file placed there before a second download is not trusted either.
    await client.engine.download((await found.promise).offer, hooks);
    await writeFile(cachedFile, "something else");
    await expect(client.engine.download((await found.promise).offer, hooks)).rejects.toThrow(
      "The signature verification failed",
    );
    await client.engine.download((await found.promise).offer, hooks);
    expect(await client.engine.install()).toBe(null);
    expect((await installedContent(client)).equals(at.content)).toBe(true);
  });

  it.each(["nsis", "msi", "dmg"] as Bundle[])(
    "a %s installer that cannot be started is reported, and can be tried again [UPD-100]",
    async (bundle) => {
      await using at = await release({ bundles: [bundle] });
      let isBlocked = true;
      await using client = await rehearse({
        proxyUrl: at.proxy.url,
        publicKeys: [ownKey],
        bundle,
        // Blocks the start, as a virus scanner may.
        onStart: () => (isBlocked ? Promise.reject(new Error("spawn EPERM")) : Promise.resolve()),
      });
      await client.session.settled();
      client.session.choose("install");
      await client.session.settled();
      expect(client.states.at(-1)).toEqual(overlay("spawn EPERM"));
      const quit = await Promise.race([
        client.quit.then(() => "quit"),
        new Promise((resolve) => setImmediate(resolve)),
      ]);
      expect(quit).toBeUndefined();

      isBlocked = false;
      client.session.choose("install");
      await client.session.settled();
      expect(client.started).toHaveLength(2);
      expect(client.states.at(-1)).toMatchObject({ name: bundle === "dmg" ? "overlay" : "installing" });
    },
  );

  it("a new AppImage that cannot be put in place leaves the old one unchanged [UPD-79]", async () => {
    await using at = await release();
    await using client = await rehearse({ proxyUrl: at.proxy.url, publicKeys: [ownKey] });
    await mkdir(path.join(path.dirname(client.appImage), `.${path.basename(client.appImage)}.new`, "in the way"), {
      recursive: true,
    });
    await client.session.settled();
    client.session.choose("install");
    await client.session.settled();
    expect(client.states.at(-1)).toMatchObject({ name: "overlay", problem: expect.any(String) });
    expect(await installedContent(client)).toEqual(Buffer.from("the installed version"));
    expect(client.relaunched).toEqual([]);
  });
});
