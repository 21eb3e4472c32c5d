import type { PosConfig } from "@comanda/protocol";
import type { PosState } from "../../back-office/pos-state.ts";
import { HubError } from "../../platform/errors.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import type { World } from "../../platform/world.ts";

/** How long a request waits for the first read of the back-office's configuration. */
const FIRST_WAIT_MS = 10_000;

/** Returns the last good configuration and when it was read. Waits for the first read. Throws UPSTREAM_UNAVAILABLE. */
export async function requireConfig(deps: {
  world: World;
  pos: PosState;
}): Promise<{ value: PosConfig; at: number; menuVersion: string }> {
  const { world, pos } = deps;
  if (pos.config() === null) await withTimeout(world, FIRST_WAIT_MS, pos.refresh());
  const [config, menuVersion] = [pos.config(), pos.menuVersion()];
  if (config === null || menuVersion === null) {
    throw new HubError(
      "UPSTREAM_UNAVAILABLE",
      "the back-office cannot be reached, and its configuration has not been read yet",
    );
  }
  await pos.keepTime();
  return { ...config, menuVersion };
}
