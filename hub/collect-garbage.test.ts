import { expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";

it("gives back at once what nobody holds any more", async () => {
  let held: WeakRef<object> | null = null;
  (() => void (held = new WeakRef({})))();
  // A weak reference keeps what it was made of until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  await collectGarbage();
  expect((held as WeakRef<object> | null)?.deref()).toBeUndefined();
});
