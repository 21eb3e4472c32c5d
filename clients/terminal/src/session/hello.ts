import {
  BATCH_CAPABILITY,
  OFFERS_CAPABILITY,
  PROPOSALS_CAPABILITY,
  PROTOCOL_VERSION,
  type OutboxReport,
  type Since,
  type TerminalMessageInput,
} from "@comanda/protocol";
import type { DeviceKeys } from "./device-keys.ts";

/** The device's report to the hub with each AUTH and heartbeat. */
export interface DeviceReport {
  outbox: OutboxReport;
  clientTime: string;
}

export type Hello = ReturnType<typeof createHello>;

/** Builds the first message of each connection, which identifies the device and its place in the hub's history. */
export function createHello(deps: {
  deviceId: string;
  isRenamed: boolean;
  clientVersion: string;
  /** Returns the key for a hub, by default the most recent one. */
  deviceKey: DeviceKeys["get"];
  since: () => Since | undefined;
  report: () => DeviceReport;
}) {
  let shownKey: string | undefined;
  /** The connected hub, once it is known. */
  let hubId: string | undefined;

  return {
    message(token: string): TerminalMessageInput {
      const since = deps.since();
      shownKey = deps.deviceKey(hubId ?? since?.hubId);
      return {
        type: "AUTH",
        token,
        deviceId: deps.deviceId,
        protocolVersion: PROTOCOL_VERSION,
        clientVersion: deps.clientVersion,
        caps: [BATCH_CAPABILITY, OFFERS_CAPABILITY, PROPOSALS_CAPABILITY],
        ...deps.report(),
        ...(shownKey !== undefined && { deviceKey: shownKey }),
        ...(deps.isRenamed && { renamed: true as const }),
        ...(since !== undefined && { since }),
      };
    },
    isAt(answering: string): void {
      hubId = answering;
    },
    /** Whether this device has another key for the answering hub. The address may lead to a different hub than last time. */
    hasOtherKey(answering: string | undefined): boolean {
      hubId = answering ?? hubId;
      const key = deps.deviceKey(hubId);
      return key !== undefined && key !== shownKey;
    },
  };
}
