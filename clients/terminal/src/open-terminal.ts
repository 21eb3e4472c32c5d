import library from "../package.json" with { type: "json" };
import { createHubHttpWith, type HubHttp, type HubHttpOptions } from "./http/hub-http.ts";
import { protocolSchemas } from "./schemas.ts";
import { openTerminalWith } from "./open-with.ts";
import type { Terminal, TerminalOptions } from "./terminal-interface.ts";

/** A terminal of one device. Opens the outbox (and fails when another process has it); `start` connects. */
export const openTerminal = (options: TerminalOptions): Promise<Terminal> =>
  openTerminalWith(protocolSchemas, { clientVersion: library.version, ...options });

/**
 * What the hub serves to terminals beside the connection. Every call throws TerminalRefusal with the hub's words, or
 * HubUnreachableError.
 */
export const createHubHttp = (options: HubHttpOptions): HubHttp => createHubHttpWith(protocolSchemas, options);
