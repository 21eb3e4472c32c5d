import { callHub } from "../../../lib/hub-client.ts";

export function pauseWebhooks(paused: boolean) {
  return callHub("pauseWebhooks", { body: { paused } });
}
