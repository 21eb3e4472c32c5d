import { describe, expect, it } from "vitest";
import { DONE_MS, placeItems, type Placeable, type Slot } from "./place-items.ts";

const at = (minute: number): Placeable => ({ id: `of ${minute}`, sentAt: `2026-11-21T20:0${minute}:00.000Z` });
const one = at(1);
const two = at(2);
const three = at(3);

const quiet = { now: 1_000, isQuiet: true };
const touched = { now: 1_000, isQuiet: false };
const ids = (slots: readonly Slot<Placeable>[]) =>
  slots.map(({ item, doneAt }) => (doneAt === null ? item.id : `${item.id} gone`));

describe("slots of tickets", () => {
  it("tickets are placed by age [TOUCH-100]", () => {
    expect(ids(placeItems([], [three, one, two], quiet))).toEqual(["of 1", "of 2", "of 3"]);
  });

  it("a newer ticket is appended at once, and an older one inserted only while nobody touches [TOUCH-101]", () => {
    const slots = placeItems([], [two], quiet);
    expect(ids(placeItems(slots, [two, three], touched))).toEqual(["of 2", "of 3"]);
    expect(ids(placeItems(slots, [one, two], touched))).toEqual(["of 2"]);
    expect(ids(placeItems(slots, [one, two], quiet))).toEqual(["of 1", "of 2"]);
  });

  it("a finished ticket stays for 5 s, and longer while somebody touches the screen [TOUCH-101]", () => {
    const slots = placeItems([], [one, two], quiet);
    const finished = placeItems(slots, [two], quiet);
    expect(ids(finished)).toEqual(["of 1 gone", "of 2"]);
    const later = { now: quiet.now + DONE_MS, isQuiet: false };
    expect(ids(placeItems(finished, [two], { now: later.now - 1, isQuiet: true }))).toEqual(["of 1 gone", "of 2"]);
    expect(ids(placeItems(finished, [two], later))).toEqual(["of 1 gone", "of 2"]);
    expect(ids(placeItems(finished, [two], { ...later, isQuiet: true }))).toEqual(["of 2"]);
  });

  it("a ticket that is taken back returns to its slot [TOUCH-101]", () => {
    const finished = placeItems(placeItems([], [one, two], quiet), [two], touched);
    expect(ids(placeItems(finished, [one, two], touched))).toEqual(["of 1", "of 2"]);
  });

  it("a ticket with priority moves to the front and back only while nobody touches [TOUCH-326]", () => {
    const slots = placeItems([], [one, two, three], quiet);
    const urgent = { ...three, priority: true } as const;
    const held = placeItems(slots, [one, two, urgent], touched);
    expect(ids(held)).toEqual(["of 1", "of 2", "of 3"]);
    const front = placeItems(held, [one, two, urgent], quiet);
    expect(ids(front)).toEqual(["of 3", "of 1", "of 2"]);
    expect(ids(placeItems(front, [one, two, three], quiet))).toEqual(["of 1", "of 2", "of 3"]);
  });

  it("the slots stay the same if nothing has changed", () => {
    const slots = placeItems([], [one, two], quiet);
    expect(placeItems(slots, [one, two], quiet)).toBe(slots);
  });
});
