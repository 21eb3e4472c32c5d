import { expect, it } from "vitest";
import { manualWorld } from "../../../test/manual-world.ts";
import { createPromptReport } from "./prompt-report.ts";

function setUp() {
  const world = manualWorld();
  const sent: number[] = [];
  const line = { isUp: true, pending: 0 };
  const state = () => ({ pending: line.pending, oldestAt: null });
  const prompt = createPromptReport({
    world,
    isOnline: () => line.isUp,
    report: state,
    send() {
      sent.push(line.pending);
      prompt.tell();
    },
  });
  prompt.tell();
  const becomes = (pending: number): void => {
    line.pending = pending;
    prompt.follow();
  };
  return { world, sent, line, prompt, becomes };
}

it("the report says within a second what keeps waiting, and when nothing does any more [CLIENT-242]", () => {
  const { world, sent, becomes } = setUp();
  becomes(1);
  becomes(2);
  expect(sent).toEqual([]);
  world.advance(1_000);
  expect(sent).toEqual([2]);
  becomes(0);
  world.advance(1_000);
  expect(sent).toEqual([2, 0]);
});

it("nothing is reported about mutations that are answered at once [CLIENT-242]", () => {
  const { world, sent, becomes } = setUp();
  becomes(1);
  becomes(0);
  world.advance(5_000);
  expect(sent).toEqual([]);
});

it("the report is sent at once when the page closes, while there is a session [CLIENT-242]", () => {
  const { sent, line, prompt, becomes } = setUp();
  becomes(1);
  prompt.now();
  prompt.now();
  expect(sent).toEqual([1]);
  line.isUp = false;
  becomes(2);
  prompt.now();
  expect(sent).toEqual([1]);
});
