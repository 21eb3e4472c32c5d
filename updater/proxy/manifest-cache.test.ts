import { expect, it } from "vitest";
import { createManifestCache } from "./manifest-cache.ts";
import { type PublishedRelease, type ReleaseSource, UpstreamError } from "./release-source.ts";

function setUp(cacheMs: number, validForMs: number) {
  const at = { nowMs: 1_000, calls: 0, answer: undefined as (() => Promise<PublishedRelease | null>) | undefined };
  const asset = { name: "pos_1.4.0_amd64.AppImage", signature: "s", url: "https://files.example/a", validForMs };
  const release: PublishedRelease = {
    version: "1.4.0",
    notes: "",
    publishedAt: "2026-11-20T10:00:00Z",
    assets: [asset],
  };
  const source: ReleaseSource = {
    latestPublished() {
      at.calls += 1;
      return at.answer?.() ?? Promise.resolve(release);
    },
    close: () => Promise.resolve(),
  };
  return { at, cache: createManifestCache(source, cacheMs, () => at.nowMs) };
}

it.each([
  [300_000, 600_000, 300_000],
  [60_000, 600_000, 60_000],
  [900_000, 600_000, 300_000],
  [300_000, 3_600_000, 300_000],
  [300_000, 120_000, 60_000],
  [300_000, 1_000, 500],
])(
  "with a cache of %i ms and addresses valid for %i ms, an answer is cached for %i ms [UPD-16]",
  async (cacheMs, validForMs, keptMs) => {
    const { at, cache } = setUp(cacheMs, validForMs);
    await cache.get();
    at.nowMs += keptMs - 1;
    await cache.get();
    expect(at.calls).toBe(1);
    at.nowMs += 1;
    await cache.get();
    expect(at.calls).toBe(2);
  },
);

it("the answer that nothing is published is cached like any other [UPD-12]", async () => {
  const { at, cache } = setUp(300_000, 600_000);
  at.answer = () => Promise.resolve(null);
  await cache.get();
  at.nowMs += 299_999;
  expect(await cache.get()).toMatchObject({ body: null });
  expect(at.calls).toBe(1);
});

it("waiting checks, and those of the next 5 s, get the failure [UPD-10]", async () => {
  const { at, cache } = setUp(300_000, 600_000);
  at.answer = () => Promise.reject(new UpstreamError("down"));
  const waiting = await Promise.allSettled([cache.get(), cache.get(), cache.get()]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(at.calls).toBe(1);
  at.answer = undefined;
  at.nowMs += 4_999;
  await expect(cache.get()).rejects.toThrow("down");
  expect([at.calls, cache.retryAfterMs()]).toEqual([1, 1]);
  at.nowMs += 1;
  expect((await cache.get()).body).toContain("1.4.0");
  expect([at.calls, cache.retryAfterMs()]).toEqual([2, 0]);
});

it("a failure is cached for 5 s from the end of the lookup, and no longer than an answer would be [UPD-10]", async () => {
  const slow = setUp(300_000, 600_000);
  slow.at.answer = () => {
    slow.at.nowMs += 10_000;
    return Promise.reject(new UpstreamError("no answer in time"));
  };
  await expect(slow.cache.get()).rejects.toThrow();
  expect(slow.cache.retryAfterMs()).toBe(5_000);

  const brief = setUp(200, 600_000);
  brief.at.answer = () => Promise.reject(new UpstreamError("down"));
  await expect(brief.cache.get()).rejects.toThrow();
  expect(brief.cache.retryAfterMs()).toBe(200);
});

it("a failure after a good answer is cached too [UPD-10]", async () => {
  const { at, cache } = setUp(300_000, 600_000);
  await cache.get();
  at.nowMs += 300_000;
  at.answer = () => Promise.reject(new UpstreamError("down"));
  for (let check = 0; check < 10; check += 1) await expect(cache.get()).rejects.toThrow("down");
  expect(at.calls).toBe(2);
});

it("an address's validity counts from before the lookup [UPD-16]", async () => {
  const { at, cache } = setUp(300_000, 600_000);
  at.answer = () => {
    at.nowMs += 8_000;
    return Promise.resolve(null);
  };
  expect(await cache.get()).toMatchObject({ freshUntilMs: 301_000 });
});
