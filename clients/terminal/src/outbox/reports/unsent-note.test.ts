import { expect, it } from "vitest";
import { createUnsentNote, type UnsentNote } from "./unsent-note.ts";

const now = () => "2026-11-23T20:00:00.000Z";
const state = (pending: number, payments = 0, amount = 0) => ({
  pending,
  toSend: pending,
  payments,
  amount,
  oldestAt: null,
  unsaved: 0,
});

/** A device whose note survives each opening. */
function device() {
  let saved: UnsentNote | null = null;
  const storage = { read: () => saved, write: (note: UnsentNote) => void (saved = note) };
  return (isEmptied: boolean) => createUnsentNote(storage, isEmptied, now);
}

it("the note tells what was unsent when the storage was emptied, until it is acknowledged [CLIENT-240]", () => {
  const open = device();
  open(true).follow(state(3, 1, 850));
  const after = open(true);
  expect(after.lost()).toEqual({ pending: 3, payments: 1, amount: 850, at: now() });
  after.follow(state(0));
  // After a reload with the storage present again.
  const later = open(false);
  expect(later.lost()).toMatchObject({ pending: 3 });
  later.forget();
  expect(open(true).lost()).toBeNull();
});

it("work lost twice is added up [CLIENT-240]", () => {
  const open = device();
  open(true).follow(state(2, 1, 100.1));
  open(true).follow(state(1, 1, 100.2));
  expect(open(true).lost()).toMatchObject({ pending: 3, payments: 2, amount: 200.3 });
});

it("nothing is reported as lost if the storage is intact, or nothing was unsent [CLIENT-240]", () => {
  const open = device();
  open(true).follow(state(3));
  expect(open(false).lost()).toBeNull();
  open(false).follow(state(0));
  expect(open(true).lost()).toBeNull();
});
