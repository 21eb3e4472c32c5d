import library from "../package.json" with { type: "json" };
import { createHubHttpWith, type HubHttp, type HubHttpOptions } from "./http/hub-http.ts";
import { protocolSchemas } from "./schemas.ts";
import { openTerminalWith } from "./open-with.ts";
import type { Terminal, TerminalOptions } from "./terminal-interface.ts";

/** Opens a terminal of one device with its outbox, and fails if another process has that open. `start` connects. */
export const openTerminal = (options: TerminalOptions): Promise<Terminal> =>
  openTerminalWith(protocolSchemas, { clientVersion: library.version, ...options });

/**
 * Creates the client for the hub's HTTP routes for terminals. Every call throws TerminalRefusal with the hub's message, or
 * HubUnreachableError.
 */
export const createHubHttp = (options: HubHttpOptions): HubHttp => createHubHttpWith(protocolSchemas, options);
