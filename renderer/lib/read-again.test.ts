import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { createReadAgain } from "./read-again.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Opens a screen with a list of the hub, and counts its reads and how many ran at once. */
async function openScreen(answerMs: number, queryKey = ["orders"]) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const hub = { state: 0, reads: 0, atOnce: 0, mostAtOnce: 0 };
  const observer = new QueryObserver(cache, {
    queryKey,
    async queryFn() {
      const { state } = hub;
      hub.reads += 1;
      hub.atOnce += 1;
      hub.mostAtOnce = Math.max(hub.mostAtOnce, hub.atOnce);
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      hub.atOnce -= 1;
      return state;
    },
  });
  const close = observer.subscribe(() => {});
  onTestFinished(() => cache.clear());
  return { cache, hub, close, observer, readAgain: createReadAgain(cache), shown: () => cache.getQueryData(queryKey) };
}

it("a burst of changes repeats a read four times a second, one at a time, and once after the last [UI-430]", async () => {
  const { hub, readAgain, shown } = await openScreen(20);
  await vi.advanceTimersByTimeAsync(1_000);
  hub.reads = 0;
  for (let change = 0; change < 200; change += 1) {
    hub.state += 1;
    readAgain({ queryKey: ["orders"] });
    await vi.advanceTimersByTimeAsync(5);
  }
  expect(hub.reads).toBeLessThanOrEqual(4);
  expect(hub.reads).toBeGreaterThanOrEqual(3);
  await vi.advanceTimersByTimeAsync(300);
  expect(shown()).toBe(200);
  const settled = hub.reads;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([hub.reads, hub.mostAtOnce]).toEqual([settled, 1]);
});

it("the first change is read at once [UI-430]", async () => {
  const { hub, readAgain, shown } = await openScreen(20);
  await vi.advanceTimersByTimeAsync(1_000);
  hub.state = 1;
  readAgain({ queryKey: ["orders"] });
  await vi.advanceTimersByTimeAsync(20);
  expect(shown()).toBe(1);
});

it("reads that take the hub long are repeated less often, and sales every five seconds [UI-430]", async () => {
  for (const [answerMs, key, most] of [
    [500, "orders", 5],
    [20, "sales", 3],
  ] as const) {
    const { hub, readAgain } = await openScreen(answerMs, [key]);
    await vi.advanceTimersByTimeAsync(1_000);
    hub.reads = 0;
    for (let change = 0; change < 100; change += 1) {
      readAgain();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(hub.reads).toBeLessThanOrEqual(most);
  }
});

it("a read that was under way during a change is repeated [UI-431]", async () => {
  const { hub, readAgain, shown } = await openScreen(500);
  await vi.advanceTimersByTimeAsync(100);
  hub.state = 1;
  readAgain();
  await vi.advanceTimersByTimeAsync(3_000);
  expect([shown(), hub.reads]).toEqual([1, 2]);
});

it("a read that is not shown is repeated when it is shown next [UI-430]", async () => {
  const { cache, hub, close, observer, readAgain, shown } = await openScreen(20);
  await vi.advanceTimersByTimeAsync(1_000);
  close();
  hub.state = 1;
  readAgain();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(hub.reads).toBe(1);
  const reopened = new QueryObserver(cache, observer.options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(20);
  expect(shown()).toBe(1);
  reopened();
});
