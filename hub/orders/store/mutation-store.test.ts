import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../db/open.ts";
import { realWorld } from "../../platform/world.ts";
import { createMutationStore } from "./mutation-store.ts";

const answer = (posReference: string) => ({ mutationId: posReference, posReference, version: 1, seq: 1 });

function setUp(count: number) {
  const db = openMemory(realWorld(pino({ level: "silent" })));
  const store = createMutationStore(db);
  db.transaction(() => {
    for (let i = 0; i < count; i += 1) store.remember(`m${i}`, `d${i}`, answer(`o${i}`), i);
  })();
  return { db, store };
}

describe("the memory of applied mutations", () => {
  it("a repeated mutation gets its first answer, also after reading it from the file [ORDER-4]", () => {
    const { store } = setUp(3);
    expect(store.find("m1")).toEqual({ digest: "d1", answer: answer("o1") });
    store.readAgain();
    expect(store.find("m1")).toEqual({ digest: "d1", answer: answer("o1") });
    expect(store.find("m9")).toBeNull();
  });

  it("the oldest answers are forgotten in slices [ORDER-7]", () => {
    const { store } = setUp(10_700);
    expect(store.prune(600, 500)).toBe(500);
    expect(store.prune(600, 500)).toBe(100);
    expect(store.find("m599")).toBeNull();
    expect(store.find("m600")).not.toBeNull();
  });

  it("the newest answers are kept whatever the clock says [ORDER-4]", () => {
    const { store } = setUp(10_002);
    expect(store.prune(Number.MAX_SAFE_INTEGER, 500)).toBe(2);
    expect(store.prune(Number.MAX_SAFE_INTEGER, 500)).toBe(0);
    expect(store.find("m1")).toBeNull();
    expect(store.find("m2")).not.toBeNull();
  });

  it("the answer of a rolled-back mutation is forgotten [ORDER-6]", () => {
    const { db, store } = setUp(1);
    db.exec("BEGIN");
    store.remember("lost", "d", answer("x"), 1);
    db.exec("ROLLBACK");
    store.readAgain();
    expect(store.find("lost")).toBeNull();
    expect(store.find("m0")).not.toBeNull();
  });
});
