import type * as nats from "@nats-io/transport-node";
import type { NatsConnection } from "@nats-io/transport-node";
import { chainSubjects, type Enrolled } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";

type Nats = typeof nats;

const CONNECT_MS = 5_000;
/** Detects a dead connection within half a minute. */
const PING_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export interface Connected {
  client: Nats;
  connection: NatsConnection;
}

export interface ChainConnectionState {
  kind: "connecting" | "connected" | "refused";
  /** ms since 1970 */
  since: number;
}

/**
 * Keeps one outbound connection to headquarters until it is stopped. Reconnects are spread over half a minute, for when
 * hundreds of hubs come back together. The NATS client is loaded on first use. `onConnected` is called once, with the
 * connection; `onUp` after each connect and reconnect.
 */
export function createChainConnection(deps: {
  world: World;
  enrolled: Enrolled;
  /** Seed of the hub's nkey. */
  seed: Uint8Array;
  onConnected(connected: Connected): void;
  onUp(): void;
  onState(): void;
}) {
  const { world, enrolled } = deps;
  let connection: NatsConnection | null = null;
  let isStopping = false;
  let failures = 0;
  /** Delay before the next attempt. Fixed per attempt, because the client asks for it repeatedly while it waits. */
  let pauseMs = pauseAfter(0);
  let timer: NodeJS.Timeout | undefined;
  let connecting: Promise<void> | null = null;
  let state: ChainConnectionState = { kind: "connecting", since: world.clock.now() };

  function setState(kind: ChainConnectionState["kind"]): void {
    if (kind === state.kind) return;
    state = { kind, since: world.clock.now() };
    if (kind === "refused") world.log.warn({ url: enrolled.url }, "headquarters refuse this hub's key");
    else
      world.log.info(
        { url: enrolled.url },
        kind === "connected" ? "headquarters are connected" : "headquarters are away",
      );
    deps.onState();
  }

  function pauseAfter(failed: number): number {
    const maxMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failed);
    return maxMs * (0.5 + (world.random.bytes(1)[0] ?? 0) / 510);
  }

  function noteFailure(): void {
    pauseMs = pauseAfter(failures);
    failures += 1;
  }

  async function connect(): Promise<void> {
    const client = await import("@nats-io/transport-node");
    if (isStopping) return;
    try {
      const made = await client.connect({
        servers: enrolled.url,
        name: enrolled.restaurantId,
        authenticator: client.nkeyAuthenticator(deps.seed),
        inboxPrefix: chainSubjects.inbox(enrolled.restaurantId),
        timeout: CONNECT_MS,
        pingInterval: PING_MS,
        maxPingOut: 2,
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        ignoreClusterUpdates: true,
        noAsyncTraces: true,
        reconnectDelayHandler: () => pauseMs,
        ...(isEncrypted(enrolled) && { tls: enrolled.ca === undefined ? {} : { ca: enrolled.ca } }),
      });
      if (isStopping) {
        await made.close();
        return;
      }
      connection = made;
      void follow(client, made);
      deps.onConnected({ client, connection: made });
      up();
    } catch (error) {
      if (isStopping) return;
      const isRefused = error instanceof client.AuthorizationError;
      world.log.debug({ err: error }, "headquarters cannot be reached");
      setState(isRefused ? "refused" : "connecting");
      noteFailure();
      timer = world.timers.setTimeout(begin, pauseMs);
    }
  }

  function begin(): void {
    connecting = connect().catch((error: unknown) => {
      world.log.error({ err: error }, "the connection to headquarters cannot be made");
    });
  }

  function up(): void {
    failures = 0;
    pauseMs = pauseAfter(0);
    setState("connected");
    deps.onUp();
  }

  async function follow(client: Nats, made: NatsConnection): Promise<void> {
    for await (const status of made.status()) {
      if (isStopping) return;
      if (status.type === "reconnect") up();
      else if (status.type === "reconnecting") noteFailure();
      // A failed reconnect attempt also ends with this status.
      else if (status.type === "disconnect" && state.kind === "connected") setState("connecting");
      else if (status.type === "error" && status.error instanceof client.AuthorizationError) setState("refused");
    }
  }

  return {
    start: begin,
    state: (): ChainConnectionState => state,
    isUp: (): boolean => state.kind === "connected",
    async stop(): Promise<void> {
      isStopping = true;
      world.timers.clearTimeout(timer);
      await connection?.close();
      // A connection still being made closes itself; `stop` does not wait for it.
      if (connection !== null) await connecting;
    },
  };
}

function isEncrypted({ url, ca }: Enrolled): boolean {
  return ca !== undefined || url.startsWith("tls://");
}
