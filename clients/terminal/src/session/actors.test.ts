import { expect, it } from "vitest";
import { createActors, type SavedActor } from "./actors.ts";

const ana = { token: "actor-ana", user: { id: 7, name: "Ana" } };
const session = { token: "session-of-manager", manager: { token: "actor-marisol", user: { id: 6, name: "Marisol" } } };

function open(saved: SavedActor | null, token = session.token) {
  let stored = saved;
  const actors = createActors({ saved, token, save: (next) => (stored = next) });
  return { actors, stored: () => stored };
}

it("the person acting by a PIN is still known after a reload [TOUCH-143]", () => {
  const { actors, stored } = open({ actor: session.manager, session: session.token.slice(-8) });
  expect(actors.current()).toEqual(session.manager);
  actors.use(ana);
  expect(open(stored()).actors.current()).toEqual(ana);
  actors.use(null);
  expect(open(stored()).actors.current()).toEqual(session.manager);
});

it("the person acting by a PIN is forgotten when another user signs in [TOUCH-143]", () => {
  const { actors, stored } = open(null);
  actors.use(ana);
  expect(open(stored(), "session-of-another").actors.current()).toBeNull();
  actors.switched("session-of-another");
  expect([actors.current(), stored()]).toEqual([null, null]);
});
