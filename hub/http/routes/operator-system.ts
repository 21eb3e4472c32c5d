import { PROTOCOL_VERSION, type DrillReport } from "@comanda/protocol";
import { presentAuditRow } from "../../operator/audit-log.ts";
import { diagnosticsFile, listDiagnostics, packDiagnostics } from "../../operator/diagnostics.ts";
import { runDrill } from "../../operator/drill.ts";
import type { OperatorRoom } from "../../operator/operator-room.ts";
import { clientGone } from "../client-gone.ts";
import { readCursor } from "../cursor.ts";
import type { OperatorHandlers } from "./operator-routes.ts";

type Names =
  | "version"
  | "settings"
  | "changeSettings"
  | "backups"
  | "makeBackup"
  | "verifyBackup"
  | "previewBackup"
  | "restoreBackup"
  | "downloadBackup"
  | "dataFile"
  | "checkDataFile"
  | "logs"
  | "exportLogs"
  | "diagnostics"
  | "downloadDiagnostics"
  | "audit"
  | "drill";

/** Long enough for the answer to reach the screen before the hub goes down to come up on the backup. */
const RESTART_AFTER_MS = 250;

/** What the System screen reads and does. */
export function operatorSystemRoutes(room: OperatorRoom): Pick<OperatorHandlers, Names> {
  const { world, audit, backups, changes, config, dataFile, settingsHost, jobs, logs, settings } = room;

  let drilling: Promise<DrillReport> | null = null;

  function version() {
    return {
      version: room.version,
      protocolVersion: PROTOCOL_VERSION,
      schemaVersion: dataFile.read().schemaVersion,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      host: settingsHost.host,
      hasDrill: true,
      startedAt: room.startedAt,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }

  /** Counts and states, settings without their secrets, and the log, which never had any. */
  async function diagnostics() {
    return [
      diagnosticsFile("version.json", "which hub this is", version()),
      diagnosticsFile(
        "overview.json",
        "counts and states, as anyone on the network may see them",
        room.overview(false),
      ),
      diagnosticsFile("settings.json", "the effective settings, without secrets", settings.list()),
      diagnosticsFile("data-file.json", "size and health of the data file", dataFile.read()),
      diagnosticsFile("backups.json", "which backups there are", await backups.list()),
      diagnosticsFile("log.jsonl", "the last lines of the log", logs.raw()),
    ];
  }

  return {
    version,
    settings: settings.list,
    changeSettings: ({ body, manager }) => settings.change(body.values, manager.userName),

    backups: backups.list,
    makeBackup: async ({ manager }) => ({ backup: await backups.make(manager.userName) }),
    verifyBackup: async ({ params, manager }) => ({ backup: await backups.verify(params.name, manager.userName) }),
    previewBackup: ({ params }) => backups.preview(params.name),
    async restoreBackup({ params, body, manager }) {
      const { keptAside } = await backups.stage(params.name, body.confirm, manager.userName);
      world.log.warn({ backup: params.name, user: manager.userName }, "a backup is restored at the next start");
      if (settingsHost.restart !== null) world.timers.setTimeout(settingsHost.restart, RESTART_AFTER_MS);
      return { restoring: true, keptAside };
    },
    downloadBackup: ({ params }) => backups.download(params.name),

    dataFile: dataFile.read,
    async checkDataFile({ manager }) {
      const checked = await dataFile.check();
      await changes.write((tx) => {
        audit.record(tx, manager.userName, "data_file.check", config.dbPath, checked.check?.message ?? null);
        tx.emit({ kind: "notice", notice: { topics: ["data_file"] } });
      });
      return checked;
    },

    logs: ({ query }) => ({ lines: logs.find(query), rooms: logs.rooms() }),
    exportLogs: () => ({ name: "hub-log.jsonl", type: "text/plain; charset=utf-8", content: logs.raw() }),
    diagnostics: async () => listDiagnostics(await diagnostics()),
    downloadDiagnostics: async () => ({
      name: "comanda-hub-diagnostics.tar.gz",
      type: "application/gzip",
      content: packDiagnostics(await diagnostics(), [config.backOffice.credentials?.password ?? ""], world.clock.now()),
    }),

    async drill({ manager }) {
      await changes.write((tx) => audit.record(tx, manager.userName, "drill.run", ""));
      drilling ??= runDrill(world, room.practise).finally(() => {
        drilling = null;
      });
      return drilling;
    },

    async audit({ query: { search = "", cursor, limit }, ctx }) {
      const below = readCursor(cursor) ?? Number.MAX_SAFE_INTEGER;
      const found = { file: config.dbPath, search, below, limit };
      const entries =
        search === ""
          ? audit.page(below, limit)
          : (await jobs.query("searchAuditLog", found, { signal: clientGone(ctx.res) })).map(presentAuditRow);
      const last = entries.length === limit ? entries.at(-1) : undefined;
      return { entries, nextCursor: last === undefined ? null : String(last.id) };
    },
  };
}
