import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createStop } from "./until-stopped.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("finished work is not retained, however long the hub runs [CHAIN-30]", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { orStop } = createStop();
  const answer = await (async () => new WeakRef(await orStop(Promise.resolve({ rev: 1 }))))();
  await turn();
  collect();
  expect(answer.deref()).toBeUndefined();
});

it("stopping rejects pending work, and keeps earlier results and failures [CHAIN-30]", async () => {
  const { orStop, stop } = createStop();
  expect(await orStop(Promise.resolve(1))).toBe(1);
  await expect(orStop(Promise.reject(new Error("away")))).rejects.toThrow("away");
  const waiting = orStop(new Promise(() => undefined));
  stop();
  await expect(waiting).rejects.toThrow("the hub stops");
  await expect(orStop(new Promise(() => undefined))).rejects.toThrow("the hub stops");
});
