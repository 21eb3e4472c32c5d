import { pino } from "pino";
import { expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { createPresenceBatcher } from "./presence-batcher.ts";

function open() {
  const clock = manualClock();
  const sent: string[] = [];
  const world = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  const batcher = createPresenceBatcher<string>(world, (terminalId, place) => sent.push(`${terminalId} ${place}`));
  return { clock, batcher, newly: () => sent.splice(0) };
}

it("a presence change is sent at once after a quiet second, otherwise the newest once a second [TERM-160]", () => {
  const { clock, batcher, newly } = open();
  batcher.add("a", "1");
  expect(newly()).toEqual(["a 1"]);
  for (const place of ["2", "3"]) batcher.add("a", place);
  batcher.add("b", "1");
  expect(newly()).toEqual([]);
  clock.advance(1_000);
  expect(newly()).toEqual(["a 3", "b 1"]);
  clock.advance(2_000);
  batcher.add("b", "2");
  expect(newly()).toEqual(["b 2"]);
});

it("at most 15 presence changes are sent per second, the longest waiting first [TERM-160]", () => {
  const { clock, batcher, newly } = open();
  batcher.add("first", "1");
  for (let n = 0; n < 40; n += 1) batcher.add(`t${n}`, "1");
  newly();
  clock.advance(1_000);
  expect(newly()).toHaveLength(15);
  batcher.add("t0", "2");
  clock.advance(1_000);
  expect(newly()).toContain("t15 1");
  clock.advance(1_000);
  expect(newly()).toEqual([...Array.from({ length: 10 }, (_, n) => `t${30 + n} 1`), "t0 2"]);
});

it("a waiting presence change of a terminal that left is not sent [TERM-160]", () => {
  const { clock, batcher, newly } = open();
  for (const terminal of ["a", "b", "c"]) batcher.add(terminal, "1");
  newly();
  batcher.forget("b");
  clock.advance(1_000);
  expect(newly()).toEqual(["c 1"]);
});
