// The attackers' program: told a target it begins every flood, told to stop it ends them. It gives way to everybody else
// on this machine, as elsewhere it would be other machines.
import { constants, setPriority } from "node:os";
import { floods, type Target } from "./floods.ts";

setPriority(constants.priority.PRIORITY_LOW);
const controller = new AbortController();
process.on("message", (message: { target: Target } | "stop") => {
  if (message === "stop") {
    controller.abort();
    process.disconnect();
    return;
  }
  for (const { name, peer, run } of floods) {
    run(message.target, peer, controller.signal).catch((error: unknown) => {
      console.error(`${name}:`, error);
      process.exit(1);
    });
  }
});
process.on("disconnect", () => process.exit(0));
