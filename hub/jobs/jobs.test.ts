import { copyFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkDataFileJob } from "../maintenance/backup-jobs.ts";
import { realWorld } from "../platform/world.ts";
import { filledFile, tempFolder, zeroRootPage } from "../test/support/data/data-files.ts";
import { until } from "../test/support/until.ts";
import { createJobs, JobCancelled } from "./jobs.ts";

function start() {
  const failures: Error[] = [];
  const jobs = createJobs({
    world: realWorld(pino({ level: "silent" })),
    onFailure: (error) => void failures.push(error),
  });
  onTestFinished(jobs.stop);
  return { jobs, failures };
}

describe("jobs in worker threads", () => {
  it("jobs report their progress and their result [HUB-50]", async () => {
    const { dbPath } = await filledFile();
    const { jobs } = start();
    const reported: number[] = [];
    const result = jobs.run(
      checkDataFileJob,
      { file: dbPath, structure: true },
      { onChunk: (progress) => void (progress !== undefined && reported.push(progress)) },
    );
    expect(jobs.isReading()).toBe(true);
    expect(await result).toEqual({ ok: true, isBroken: false, detail: "ok" });
    expect(jobs.isReading()).toBe(false);
    expect(reported.length).toBeGreaterThan(1);
    expect(reported.toSorted((a, b) => a - b)).toEqual(reported);
    expect(reported.at(-1)).toBeLessThanOrEqual(1);
  });

  it("jobs wait until their last chunk was consumed [HUB-50]", async () => {
    const { dbPath } = await filledFile();
    const { jobs } = start();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let consumed = 0;
    let isDone = false;
    const input = { file: dbPath, structure: false };
    const result = jobs.query(checkDataFileJob, input, {
      onChunk() {
        consumed += 1;
        return gate;
      },
    });
    void result.then(() => (isDone = true));
    await until("the first chunk", () => consumed === 1);
    // Meanwhile, another job of the same thread runs.
    expect(await jobs.query(checkDataFileJob, input)).toMatchObject({ ok: true });
    expect({ consumed, isDone }).toEqual({ consumed: 1, isDone: false });
    open();
    expect(await result).toMatchObject({ ok: true });
  });

  it("jobs report damage as a result, and any other error with its code [HUB-50]", async () => {
    const { dbPath } = await filledFile();
    const damaged = path.join(tempFolder(), "damaged.sqlite");
    copyFileSync(dbPath, damaged);
    zeroRootPage(damaged, "orders");
    const { jobs, failures } = start();
    expect(await jobs.run(checkDataFileJob, { file: damaged, structure: true })).toMatchObject({
      ok: false,
      isBroken: true,
    });
    expect(failures).toEqual([]);
    const nowhere = { file: path.join(tempFolder(), "nowhere.sqlite"), structure: false };
    await expect(jobs.query(checkDataFileJob, nowhere)).rejects.toMatchObject({ code: "SQLITE_CANTOPEN" });
    expect(failures).toMatchObject([{ code: "SQLITE_CANTOPEN" }]);
    expect(await jobs.query(checkDataFileJob, { file: dbPath, structure: false })).toMatchObject({ ok: true });
  });

  it("jobs end when they are cancelled, and when the hub stops [HUB-51]", async () => {
    const { dbPath } = await filledFile();
    const { jobs, failures } = start();
    const input = { file: dbPath, structure: false };
    const caller = new AbortController();
    const result = jobs.run(checkDataFileJob, input, {
      signal: caller.signal,
      onChunk: () => caller.abort(),
    });
    await expect(result).rejects.toBeInstanceOf(JobCancelled);
    const unfinished = [jobs.run, jobs.query].map((run) =>
      run(checkDataFileJob, input, { onChunk: () => jobs.stop() }),
    );
    for (const result of await Promise.allSettled(unfinished)) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(JobCancelled) });
    }
    expect(jobs.isReading()).toBe(false);
    expect(failures).toEqual([]);
    await expect(jobs.run(checkDataFileJob, input)).rejects.toBeInstanceOf(JobCancelled);
  });

  it("jobs do not open the data file once they are cancelled [HUB-51]", async () => {
    const nowhere = { file: path.join(tempFolder(), "nowhere.sqlite"), structure: false };
    const { jobs, failures } = start();
    const signal = AbortSignal.abort();
    await expect(jobs.query(checkDataFileJob, nowhere, { signal })).rejects.toBeInstanceOf(JobCancelled);
    await jobs.stop();
    for (const run of [jobs.run, jobs.query]) {
      await expect(run(checkDataFileJob, nowhere)).rejects.toBeInstanceOf(JobCancelled);
    }
    expect(failures).toEqual([]);
  });
});
