import fc from "fast-check";

/** An event at one of the three terminals, their connections or the hub. Orders and lines are identified by number. */
export type Step =
  | { kind: "add"; terminal: number; order: number; quantity: number }
  | { kind: "change"; terminal: number; line: number; quantity: number }
  | { kind: "note"; terminal: number; order: number; text: string }
  | { kind: "split"; terminal: number; order: number }
  | { kind: "send"; terminal: number; order: number }
  | { kind: "bump"; terminal: number; order: number }
  | { kind: "check out"; terminal: number; order: number }
  | { kind: "reopen"; terminal: number; order: number }
  /** Pays the whole amount due in cash; `receipt` requests a fiscal number. */
  | { kind: "pay"; terminal: number; order: number; receipt: boolean }
  | { kind: "tender"; terminal: number; order: number; amount: number }
  | { kind: "return tender"; terminal: number; order: number }
  /** Merges a check that this terminal has split off into another. */
  | { kind: "merge"; terminal: number; order: number }
  /** Takes a line back that was just sent. */
  | { kind: "take back"; terminal: number; line: number }
  | { kind: "switch user"; terminal: number; login: string }
  | { kind: "discard"; terminal: number; order: number }
  /** Cuts the connection until "mend". */
  | { kind: "cut"; terminal: number }
  | { kind: "mend"; terminal: number }
  /** Loses the next answer to a mutation together with the connection. */
  | { kind: "lose answer"; terminal: number }
  /** Loses the next message of shared state but keeps the connection. */
  | { kind: "lose change"; terminal: number }
  /** Ends the terminal's process and starts it again on the same outbox. */
  | { kind: "restart terminal"; terminal: number }
  | { kind: "kill hub" }
  | { kind: "start hub" }
  /** Waits until every terminal that can reach the hub has all its answers. */
  | { kind: "settle" };

export const logins = ["manager", "cashier", "waiter"] as const;

const terminal = fc.nat(2);
const order = fc.nat(2);
const quantity = fc.integer({ min: 1, max: 5 });
const on = { terminal, order };

/** Mostly normal work, with a failure now and then. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("add"), ...on, quantity }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("change"), terminal, line: fc.nat(9), quantity }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("note"), ...on, text: fc.constantFrom("a", "b") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("split"), ...on }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send"), ...on }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("bump"), ...on }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("check out"), ...on }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen"), ...on }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pay"), ...on, receipt: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("tender"), ...on, amount: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("return tender"), ...on }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge"), ...on }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take back"), terminal, line: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("switch user"), terminal, login: fc.constantFrom(...logins) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("discard"), ...on }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("cut"), terminal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mend"), terminal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lose answer"), terminal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lose change"), terminal }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart terminal"), terminal }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "kill hub" }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: "start hub" }) },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: "settle" }) },
);

export const anyEvening = fc.array(anyStep, { minLength: 20, maxLength: 100, size: "max" });
