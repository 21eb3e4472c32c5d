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

/** What the hub is told of this device with each AUTH and each heartbeat. */
export interface DeviceReport {
  outbox: OutboxReport;
  clientTime: string;
}

export type Hello = ReturnType<typeof createHello>;

/** The first message of each connection: who this device is, and where in the hub's history. */
export function createHello(deps: {
  deviceId: string;
  isRenamed: boolean;
  clientVersion: string;
  /** The key by which a hub knows this device; by default of the hub that it was on last. */
  deviceKey: DeviceKeys["of"];
  since: () => Since | undefined;
  report: () => DeviceReport;
}) {
  let shownKey: string | undefined;
  /** The hub on the other side, once it is known. */
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
    /** The address may lead to another hub than last time, for which this device may have a key. */
    hasOtherKey(answering: string | undefined): boolean {
      hubId = answering ?? hubId;
      const key = deps.deviceKey(hubId);
      return key !== undefined && key !== shownKey;
    },
  };
}
