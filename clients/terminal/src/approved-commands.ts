import { createConflictSteps } from "./commands/conflict-steps.ts";
import { createOrderCommands } from "./commands/order-commands.ts";
import type { HubCopies } from "./http/hub-copies.ts";
import type { HubHttp } from "./http/hub-http.ts";
import { createRefundCommands } from "./http/refund-commands.ts";
import type { Signature } from "./outbox/sending/intake.ts";
import type { Outbox } from "./outbox/outbox.ts";
import { isCertain, refusalByRule } from "./refusal-by-rule.ts";
import type { Actors } from "./session/actors.ts";
import type { DeviceKeys } from "./session/device-keys.ts";
import type { Leases } from "./session/leases.ts";
import type { LocalState } from "./state/replay/local-state.ts";
import type { ApprovedCommands } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

/** The commands of the acting person, with or without another person's approval, and the steps that settle conflicts. */
export function createApprovedCommands(deps: {
  local: LocalState;
  outbox: Outbox;
  leases: Leases;
  actors: Actors;
  http: HubHttp;
  menu: HubCopies["menu"];
  deviceKey: DeviceKeys["get"];
  world: TerminalWorld;
  trouble: (error: unknown) => void;
}) {
  const { local, outbox, leases, actors, http, menu, deviceKey, world, trouble } = deps;

  function signature(approval?: string): Signature {
    return { actor: actors.current() ?? undefined, approval };
  }

  function approvedBy(approval: string | undefined): ApprovedCommands {
    return {
      ...createOrderCommands({
        orders: local,
        ask(intent) {
          const entry = outbox.entryOf(intent, signature(approval));
          const refusal = local.refusalOf(entry);
          if (refusal !== null && isCertain(refusal, menu() !== null)) throw refusalByRule(refusal);
          return outbox.queueEntry(entry);
        },
        uuid: world.uuid,
        menu,
      }),
      retry: (id, resolved, first) => outbox.retry(id, resolved, signature(approval), first),
      takeOver: (posReference) => leases.acquire(posReference, { takeover: true, approval }),
      ...createRefundCommands({ http, uuid: world.uuid, deviceKey, signature: () => signature(approval) }),
    };
  }

  const commands = approvedBy(undefined);
  const steps = createConflictSteps({
    outbox,
    orders: local,
    commands,
    add: (intent) => outbox.queueEntry(outbox.entryOf(intent, signature())),
    signature,
    uuid: world.uuid,
    trouble,
  });
  return { approvedBy, commands, steps };
}
