import type { TerminalMessageInput } from "@comanda/protocol";
import { expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createPresence } from "./presence.ts";

function startPresence() {
  const line = { isOnline: true };
  const sent: TerminalMessageInput[] = [];
  const presence = createPresence({
    world: manualWorld(),
    isOnline: () => line.isOnline,
    actor: () => undefined,
    send: (message) => void sent.push(message),
    changed: () => {},
  });
  return { line, sent, presence };
}

const message = { type: "PRESENCE", requestId: "presence" };

it("after a reconnect, presence says that this user is nowhere any more [CLIENT-52]", () => {
  const { line, sent, presence } = startPresence();
  presence.show({ tableId: 4 });
  line.isOnline = false;
  presence.lost();
  presence.show(null);
  line.isOnline = true;
  presence.resume();
  expect(sent).toEqual([{ ...message, tableId: 4 }, message]);
});

it("after a connect, presence sends nothing while this user was nowhere [CLIENT-52]", () => {
  const { sent, presence } = startPresence();
  presence.resume();
  expect(sent).toEqual([]);
});
