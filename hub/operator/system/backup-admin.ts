import { logEvent } from "../../platform/log-event.ts";
import { createReadStream } from "node:fs";
import path from "node:path";
import {
  sentence,
  type Backup,
  type BackupFailure,
  type BackupList,
  type BackupPreview,
  type Overview,
  type SecondFolder,
  type StoredOrder,
} from "@comanda/protocol";
import { paidSoFar } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { BackupFile } from "../../db/backups/backup-files.ts";
import { asideName } from "../../db/files/files.ts";
import type { Db } from "../../db/open.ts";
import type { LostOrder } from "../../db/restore/salvage-orders.ts";
import { stageRestore } from "../../db/restore/staged-restore.ts";
import type { BackupCheck } from "../../db/backups/verify-backup.ts";
import { JobCancelled, type Jobs } from "../../jobs/jobs.ts";
import { streamJob } from "../../jobs/stream-job.ts";
import { unpackBackupJob } from "../../maintenance/backup-jobs.ts";
import type { Backups } from "../../maintenance/backups.ts";
import { previewBackupJob } from "../../maintenance/preview-backup-job.ts";
import { codeOf, messageOf } from "../../platform/error-facts.ts";
import { HubError, explainedError } from "../../platform/errors.ts";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { createFolderTests } from "./folder-tests.ts";

export type BackupAdmin = ReturnType<typeof createBackupAdmin>;

interface BackupDeps extends Pick<Stores, "changes" | "audit"> {
  world: World;
  db: Db;
  jobs: Jobs;
  backups: Backups;
  failure: () => BackupFailure | null;
  second: () => SecondFolder | null;
  dbPath: string;
  backupDir: string;
  secondBackupDir: string | null;
  hubId: string;
  connectedTerminals: () => number;
}

export function createBackupAdmin(deps: BackupDeps) {
  const { world, db, jobs, changes, backups, audit, dbPath, backupDir, secondBackupDir } = deps;
  const newestVersion = db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM order_versions");

  async function find(name: string): Promise<BackupFile> {
    const file = (await backups.list()).find((each) => each.name === name);
    if (file === undefined) throw new HubError("NOT_FOUND", `there is no backup ${name}`);
    return file;
  }

  function present({ name, createdAt, bytes, kind, isCompressed }: BackupFile): Backup {
    const check = backups.check(name);
    return {
      name,
      createdAt: isoTime(createdAt),
      bytes,
      kind: kind === "before-migration" ? "migration" : kind,
      compressed: isCompressed,
      verified: check === null ? "unchecked" : check.ok ? "good" : "bad",
    };
  }

  /** Records a backup that a manager made or verified, with the result of its check. */
  function recordAction(action: "backup.make" | "backup.verify", name: string, userName: string) {
    return (tx: Tx, { ok }: BackupCheck): void => {
      audit.record(tx, userName, action, name, ok ? null : sentence("note_damaged"));
      const kind = ok ? "backup_made" : "backup_failed";
      const feed = { kind, level: ok ? "info" : "bad", detail: { userName, text: name } } as const;
      tx.notify(["backups"], action === "backup.make" ? feed : undefined);
    };
  }

  return {
    /** Lists the backups. An unreadable folder gives an empty list, and `failure` says why. */
    async list(): Promise<BackupList> {
      const found = await backups.list().catch((error: unknown) => {
        // The hub is stopping, so this says nothing about the folder.
        if (error instanceof JobCancelled) throw error;
        world.log.warn(
          logEvent("backup_folder_unreadable", { err: error, folder: backupDir }),
          "the backup folder cannot be read",
        );
        return null;
      });
      return {
        backups: (found ?? []).map(present),
        lastGoodAt: found === null ? null : isoTimeOrNull(backups.lastGoodAt()),
        folder: backupDir,
        secondFolder: secondBackupDir,
        second: deps.second(),
        work: backups.work(),
        failure: deps.failure(),
      };
    },

    lastGoodAt: backups.lastGoodAt,

    overview(): Overview["backups"] {
      return { verifying: backups.isVerifying(), second: outlineOf(deps.second()) };
    },

    testFolders: createFolderTests(deps),

    async make(userName: string): Promise<Backup> {
      const { name } = await backups
        .make("manual", (tx, created) => recordAction("backup.make", created.name, userName)(tx, created))
        .catch(throwFolderError(backupDir));
      return present(await find(name));
    },

    async verify(name: string, userName: string): Promise<Backup> {
      const file = await find(name);
      await backups.verify(file, recordAction("backup.verify", name, userName)).catch(refuse);
      return present(file);
    },

    async preview(name: string): Promise<BackupPreview> {
      const file = await find(name);
      const found = await jobs.run(previewBackupJob, { file: file.path, dataFile: dbPath }).catch(refuse);
      if ("problem" in found) throw explainedError("VALIDATION_ERROR", "backup_unreadable", { problem: found.problem });
      const { orders, activeOrders, pendingForward, newestChangeAt, newestVersionId, restaurant, hubId, lost } = found;
      return {
        backup: present(file),
        orders,
        activeOrders,
        pendingForward,
        newestChangeAt: isoTimeOrNull(newestChangeAt),
        changesLost: Math.max(0, (newestVersion.get()?.id ?? 0) - (newestVersionId ?? 0)),
        lost: { total: lost.total, items: lost.newest.map(presentLost) },
        connectedTerminals: deps.connectedTerminals(),
        restaurant,
        otherHub: hubId !== deps.hubId,
      };
    },

    /** Stages a restore for the hub's next start. Returns where the current file will be kept. */
    async stage(name: string, confirm: string, userName: string): Promise<{ keptAside: string }> {
      const file = await find(name);
      if (confirm !== name) throw explainedError("VALIDATION_ERROR", "backup_not_confirmed");
      const { ok, detail } = await backups.verify(file).catch(refuse);
      if (!ok) throw explainedError("VALIDATION_ERROR", "backup_unusable", { problem: detail });
      const keptAside = asideName(dbPath, "replaced", world.clock.now());
      await changes.write((tx) => audit.record(tx, userName, "backup.restore", name));
      stageRestore(dbPath, { backup: file.path, aside: keptAside, by: userName });
      return { keptAside: path.basename(keptAside) };
    },

    async download(name: string) {
      const file = await find(name);
      const content = file.isCompressed
        ? await streamJob(jobs, unpackBackupJob, { file: file.path }).started
        : createReadStream(file.path);
      return { name, type: "application/vnd.sqlite3", content };
    },
  };
}

function outlineOf(second: SecondFolder | null): Overview["backups"]["second"] {
  if (second === null) return { state: "off", since: null };
  if (second.failure !== null) return { state: "failing", since: second.failure.since };
  return { state: second.work === null && second.lastCopyAt !== null ? "ok" : "pending", since: null };
}

function refuse(error: unknown): never {
  if (codeOf(error) === "NO_SPACE") {
    throw new HubError("STORAGE_FULL", `there is no space for it: ${messageOf(error)}`);
  }
  throw error;
}

/** Turns the system's errors for a missing, read-only or failing folder into a refusal. */
function throwFolderError(folder: string): (error: unknown) => never {
  return (error) => {
    if (!/^E[A-Z]+$/.test(codeOf(error))) return refuse(error);
    throw explainedError("UPSTREAM_UNAVAILABLE", "backup_folder_unwritable", { folder, problem: messageOf(error) });
  };
}

function presentLost({ kind, posReference, version, body, at, by }: LostOrder) {
  const snapshot = body === null ? null : (JSON.parse(body) as StoredOrder).snapshot;
  return {
    kind,
    posReference,
    version,
    status: snapshot?.status ?? null,
    total: snapshot?.totals.total ?? null,
    paid: snapshot === null ? null : paidSoFar(snapshot),
    tableId: snapshot?.tableId ?? null,
    at: isoTime(at),
    by,
  };
}
