import { BackOfficeUpdate } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { createHttpClient, readBody } from "../platform/http-client.ts";
import type { World } from "../platform/world.ts";

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES = 64 * 1024;

/**
 * Asks the back-office, the only source of the Android app, for a newer release. Needs no session. A failure does not count
 * as an unreachable back-office, since many back-offices do not have this endpoint.
 */
export function createAndroidUpdates({ world, url }: { world: World; url: string }) {
  const http = createHttpClient({ connectTimeoutMs: TIMEOUT_MS, connections: 4, keepAlive: false });

  async function ask(version: string): Promise<BackOfficeUpdate | null> {
    const address = new URL(`${url}/pos-api/v1/updates/check/android/aarch64/${encodeURIComponent(version)}`);
    const signal = world.timers.timeoutSignal(TIMEOUT_MS);
    const answer = await http.get(address, { headers: { accept: "application/json" }, signal });
    const { bytes, end } = await readBody(answer, ANSWER_BYTES);
    if (answer.statusCode === 204) return null;
    if (answer.statusCode !== 200) throw new Error(`the back-office answered ${answer.statusCode}`);
    if (end !== "whole") throw new Error(`the answer is ${end}`);
    return BackOfficeUpdate.parse(JSON.parse(bytes.toString("utf8")));
  }

  return {
    /** Returns a release newer than `version`, or null. Throws UPSTREAM_UNAVAILABLE. */
    async newerThan(version: string): Promise<BackOfficeUpdate | null> {
      try {
        return await ask(version);
      } catch (error) {
        world.log.debug({ err: error }, "the check for a new Android app failed");
        throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot tell whether there is a newer app");
      }
    },
    stop: http.stop,
  };
}
