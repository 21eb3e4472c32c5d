// The attackers' program: starts every flood on a target and ends them on "stop". Runs at low priority, because real attackers
// use other machines.
import { constants, setPriority } from "node:os";
import { colleagues } from "./colleagues.ts";
import { type Flood, insiders, outsiders, type Target } from "./floods.ts";
import { forgers } from "./forgers.ts";
import { requestFloods } from "./requests.ts";

/** Attackers by kind: outsiders on the network, floods of requests, insiders with false claims, and crowds. */
const attackers = {
  strangers: outsiders,
  requesters: requestFloods,
  colleagues: [...insiders, ...forgers],
  crowds: colleagues,
} satisfies Record<string, readonly Flood[]>;
export type AttackerGroup = keyof typeof attackers;

setPriority(constants.priority.PRIORITY_LOW);
const controller = new AbortController();
process.send?.("ready");
process.on("message", (message: { target: Target; group: AttackerGroup } | "stop") => {
  if (message === "stop") {
    controller.abort();
    process.disconnect();
    return;
  }
  for (const { name, peer, run } of attackers[message.group].filter(isSelected)) {
    run(message.target, peer, controller.signal).catch((error: unknown) => {
      console.error(`${name}:`, error);
      process.exit(1);
    });
  }
});
process.on("disconnect", () => process.exit(0));

/** Returns whether a flood is selected. `HOSTILE_FLOODS=webhook,presence` selects those whose names have one of the words. */
function isSelected({ name }: Flood): boolean {
  const floods = process.env["HOSTILE_FLOODS"]?.split(",") ?? [""];
  return floods.some((word) => name.includes(word));
}
