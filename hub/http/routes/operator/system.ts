import { logEvent } from "../../../platform/log-event.ts";
import { type DrillReport, PROTOCOL_VERSION, type Overview } from "@comanda/protocol";
import type { Jobs } from "../../../jobs/jobs.ts";
import type { BackupAdmin } from "../../../operator/system/backup-admin.ts";
import type { DataFileAdmin } from "../../../operator/system/data-file.ts";
import type { SettingsAdmin } from "../../../operator/system/settings-admin.ts";
import type { LogTail } from "../../../platform/log-tail.ts";
import type { HubConfig } from "../../../settings/config.ts";
import type { SettingsHost } from "../../../settings/settings-host.ts";
import { presentAuditRow, searchAuditLogJob } from "../../../audit/audit-log.ts";
import { diagnosticsFile, listDiagnostics, packDiagnostics } from "../../../operator/system/diagnostics.ts";
import { runDrill, type DrillHub } from "../../../operator/system/drill.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { abortOnClose } from "../../abort-on-close.ts";
import { nextCursor, readCursor } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import type { World } from "../../../platform/world.ts";

/** Long enough for the answer to reach the screen before the hub restarts from the backup. */
const RESTART_AFTER_MS = 250;

interface Deps extends Pick<Stores, "changes" | "audit"> {
  world: World;
  config: HubConfig;
  backups: BackupAdmin;
  dataFile: DataFileAdmin;
  jobs: Jobs;
  logs: LogTail;
  overview(isManager: boolean): Overview;
  settings: SettingsAdmin;
  settingsHost: SettingsHost;
  hub: Overview["hub"];
  practise(config: HubConfig): DrillHub;
}

/** Routes of the System screen. */
export function operatorSystemRoutes(deps: Deps) {
  const { world, config, changes, audit, backups, dataFile, jobs, logs, overview, settings, settingsHost, hub } = deps;

  let drilling: Promise<DrillReport> | null = null;

  function version() {
    return {
      version: hub.version,
      protocolVersion: PROTOCOL_VERSION,
      schemaVersion: dataFile.read().schemaVersion,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      host: settingsHost.host,
      startedAt: hub.startedAt,
      timeZone: config.timeZone,
    };
  }

  /** Returns counts and states, settings without their secrets, and the log, which has none. */
  async function diagnostics() {
    return [
      diagnosticsFile("version.json", "which hub this is", version()),
      diagnosticsFile("overview.json", "counts and states, as anyone on the network may see them", overview(false)),
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
    testBackupFolders: backups.testFolders,
    previewBackup: ({ params }) => backups.preview(params.name),
    async restoreBackup({ params, body, manager }) {
      const { keptAside } = await backups.stage(params.name, body.confirm, manager.userName);
      world.log.warn(
        logEvent("restore_staged", { backup: params.name, user: manager.userName }),
        "a backup is restored at the next start",
      );
      if (settingsHost.restart !== null) world.timers.setTimeout(settingsHost.restart, RESTART_AFTER_MS);
      return { restoring: true, keptAside };
    },
    downloadBackup: ({ params }) => backups.download(params.name),

    dataFile: dataFile.read,
    async checkDataFile({ manager }) {
      const checked = await dataFile.check();
      await changes.write((tx) => {
        audit.record(tx, manager.userName, "data_file.check", config.dbPath, checked.check?.message ?? null);
        tx.notify(["data_file"]);
      });
      return checked;
    },

    logs: ({ query }) => ({ lines: logs.find(query), components: logs.components() }),
    exportLogs: () => ({ name: "hub-log.jsonl", type: "text/plain; charset=utf-8", content: logs.raw() }),
    diagnostics: async () => listDiagnostics(await diagnostics()),
    async downloadDiagnostics() {
      const secrets = [config.backOffice.credentials?.password ?? ""];
      const content = await packDiagnostics(await diagnostics(), secrets, world.clock.now());
      return { name: "comanda-hub-diagnostics.tar.gz", type: "application/gzip", content };
    },

    async drill({ manager }) {
      await changes.write((tx) => audit.record(tx, manager.userName, "drill.run", ""));
      drilling ??= runDrill(world, deps.practise).finally(() => {
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
          : (await jobs.query(searchAuditLogJob, found, { signal: abortOnClose(ctx.res) })).map(presentAuditRow);
      return { entries, nextCursor: nextCursor(entries, limit, (entry) => entry.id) };
    },
  } satisfies Partial<OperatorHandlers>;
}
