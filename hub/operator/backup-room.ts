import { createReadStream } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { Backup, BackupList, BackupPreview, StoredOrder } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { listBackups, makeBackup, type BackupFile } from "../db/backup.ts";
import { findLostOrders, type LostOrder } from "../db/lost-orders.ts";
import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";
import { asideName } from "../db/files.ts";
import { stageRestore } from "../db/staged-restore.ts";
import { HubError } from "../errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { isoTime, type World } from "../world.ts";
import type { AuditLog } from "./audit-log.ts";

interface Check {
  ok: boolean;
  at: number;
}

const MEMORY = "backupChecks";
/** The folder is read no more often than this. */
const LIST_MS = 5_000;
const LOST_SHOWN = 50;

/** The backups as the operator sees and handles them. */
export function createBackupRoom(deps: {
  world: World;
  db: Db;
  jobs: Jobs;
  changes: ChangeLog;
  memory: Memory;
  audit: AuditLog;
  dbPath: string;
  backupDir: string;
  connectedTerminals: () => number;
  checkpoint: () => Promise<void>;
}) {
  const { world, db, jobs, changes, memory, audit, dbPath, backupDir } = deps;
  const newestVersion = db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM order_versions");
  let listed: { at: number; files: BackupFile[] } | null = null;

  function files(): BackupFile[] {
    const now = world.clock.monotonic();
    if (listed === null || now - listed.at > LIST_MS) listed = { at: now, files: listBackups(backupDir) };
    return listed.files;
  }

  function find(name: string): BackupFile {
    listed = null;
    const file = files().find((each) => each.name === name);
    if (file === undefined) throw new HubError("NOT_FOUND", `there is no backup ${name}`);
    return file;
  }

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  function present({ name, createdAt, bytes, kind }: BackupFile): Backup {
    const check = checks()[name];
    return {
      name,
      createdAt: isoTime(createdAt),
      bytes,
      kind: kind === "before-migration" ? "migration" : kind,
      verified: check === undefined ? "unchecked" : check.ok ? "good" : "bad",
      verifiedAt: check === undefined ? null : isoTime(check.at),
    };
  }

  const verify = (file: string) => jobs.run("verifyBackup", { file });

  async function check(file: BackupFile, userName: string, action: string): Promise<Backup> {
    const { ok } = await verify(file.path);
    await changes.write((tx) => {
      const kept = new Set(files().map((each) => each.name));
      const known = Object.entries(checks()).filter(([name]) => kept.has(name));
      memory.write(MEMORY, { ...Object.fromEntries(known), [file.name]: { ok, at: tx.now } }, tx.now);
      audit.record(tx, userName, action, file.name, ok ? null : "damaged");
      const kind = ok ? "backup_made" : "backup_failed";
      const feed = { kind, level: ok ? "info" : "bad", detail: { userName, text: file.name } } as const;
      tx.emit({ kind: "notice", notice: { topics: ["backups"], ...(action === "backup.make" && { feed }) } });
    });
    return present(file);
  }

  return {
    list(): BackupList {
      const backups = files().map(present);
      return {
        backups,
        lastGoodAt: backups.find((backup) => backup.verified === "good")?.createdAt ?? null,
        folder: backupDir,
        secondFolder: null,
      };
    },

    /** When the newest backup was made that is not known to be bad, ms since 1970. */
    lastAt(): number | null {
      const known = checks();
      return files().find((file) => known[file.name]?.ok !== false)?.createdAt ?? null;
    },

    async make(userName: string): Promise<Backup> {
      const made = await makeBackup(db, backupDir, "manual", world, changes.hold);
      listed = null;
      await deps.checkpoint();
      return check(made, userName, "backup.make");
    },

    verify: (name: string, userName: string): Promise<Backup> => check(find(name), userName, "backup.verify"),

    preview(name: string): BackupPreview {
      const file = find(name);
      const facts = readFacts(file, db);
      return {
        backup: present(file),
        orders: facts.orders,
        activeOrders: facts.activeOrders,
        pendingForward: facts.pendingForward,
        newestChangeAt: facts.newestChangeAt === null ? null : isoTime(facts.newestChangeAt),
        changesLost: Math.max(0, (newestVersion.get()?.id ?? 0) - (facts.newestVersionId ?? 0)),
        lost: facts.lost,
        connectedTerminals: deps.connectedTerminals(),
      };
    },

    /** Stages a restore for the next start of the hub; answers where the present file will be kept. */
    async stage(name: string, confirm: string, userName: string): Promise<{ keptAside: string }> {
      const file = find(name);
      if (confirm !== name) throw new HubError("VALIDATION_ERROR", "confirm: repeat the name of the backup");
      const { ok, detail } = await verify(file.path);
      if (!ok) throw new HubError("VALIDATION_ERROR", `this backup cannot be used: ${detail}`);
      const keptAside = asideName(dbPath, "replaced", world.clock.now());
      await changes.write((tx) => audit.record(tx, userName, "backup.restore", name));
      stageRestore(dbPath, { backup: file.path, aside: keptAside, by: userName });
      return { keptAside: path.basename(keptAside) };
    },

    download: (name: string) => ({ name, type: "application/vnd.sqlite3", content: createReadStream(find(name).path) }),
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
    tableId: snapshot?.tableId ?? null,
    at: isoTime(at),
    by,
  };
}

interface BackupFacts {
  orders: number;
  activeOrders: number;
  pendingForward: number;
  newestChangeAt: number | null;
  newestVersionId: number | null;
}

function readFacts(file: BackupFile, live: Db): BackupFacts & { lost: BackupPreview["lost"] } {
  let copy: Database.Database | null = null;
  try {
    copy = new Database(file.path, { readonly: true, fileMustExist: true });
    const facts = copy
      .prepare<[], BackupFacts>(
        `
        SELECT (SELECT count(*) FROM orders) AS orders,
          (SELECT count(*) FROM orders WHERE is_active = 1) AS activeOrders,
          (SELECT count(*) FROM hub_events WHERE forwarded = 0) AS pendingForward,
          (SELECT max(at) FROM order_versions) AS newestChangeAt,
          (SELECT max(id) FROM order_versions) AS newestVersionId`,
      )
      .get();
    if (facts === undefined) throw new Error("the backup is empty");
    const { lost } = findLostOrders(copy, live);
    return { ...facts, lost: { total: lost.length, items: lost.slice(0, LOST_SHOWN).map(presentLost) } };
  } catch (error) {
    throw new HubError(
      "VALIDATION_ERROR",
      `this backup cannot be read: ${error instanceof Error ? error.message : "?"}`,
    );
  } finally {
    copy?.close();
  }
}
