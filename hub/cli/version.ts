import { PROTOCOL_VERSION } from "@comanda/protocol";
import { newestVersion } from "../db/migrate.ts";
import { hubVersion } from "../platform/paths.ts";
import type { Command } from "./command.ts";

export const version: Command = {
  usage: "version [--json]",
  summary: "shows the version of this hub",
  maxPositionals: 0,
  run: () => ({
    json: {
      version: hubVersion,
      protocolVersion: PROTOCOL_VERSION,
      schemaVersion: newestVersion,
      node: process.versions.node,
    },
    lines: [
      `Comanda Hub ${hubVersion} (protocol ${PROTOCOL_VERSION}, schema ${newestVersion}, Node ${process.versions.node})`,
    ],
  }),
};
