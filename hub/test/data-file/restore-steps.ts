import { expect } from "vitest";
import type { LossPage } from "@comanda/protocol";
import { operatorOf } from "../support/operator.ts";
import type { TestHub } from "../support/start-test-hub.ts";

/** Makes a backup and returns a function that restores it by restarting the hub. */
export async function backUp(hub: TestHub): Promise<() => Promise<void>> {
  const call = operatorOf(hub);
  const { backup } = (await call("makeBackup")).body;
  return async () => {
    const { status } = await call("restoreBackup", { params: { name: backup.name }, body: { confirm: backup.name } });
    expect(status).toBe(202);
    await hub.restart();
  };
}

/** Returns the listed losses by order reference. */
export async function lossesOf(hub: TestHub, state: "open" | "settled" = "open") {
  const { losses } = (await operatorOf(hub)("losses", { query: { state, limit: 200 } })).body as LossPage;
  return new Map(losses.map((loss) => [loss.posReference, loss]));
}

export async function takeOver(hub: TestHub, posReference: string, note?: string) {
  const loss = (await lossesOf(hub)).get(posReference);
  return operatorOf(hub)("takeOverLoss", {
    params: { lossId: loss?.lossId ?? "" },
    body: note === undefined ? {} : { note },
  });
}
