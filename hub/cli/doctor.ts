import { accessSync, constants, existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import { createBackOfficeClient } from "../back-office/client.ts";
import { backupsOf } from "../db/backups/backup-files.ts";
import { isDataFileLocked } from "../db/files/data-file-lock.ts";
import { freeBytes, LOW_DISK_BYTES, sizeText } from "../db/files/disk-space.ts";
import { openToOthers } from "../db/files/private-files.ts";
import { testFolder } from "../db/backups/test-folder.ts";
import { countLockedSecrets, keyFileOf, readKey } from "../db/files/secret-cipher.ts";
import { assessDataFile } from "../db/usable-data-file.ts";
import { ownerBeside, verifyBackup } from "../db/backups/verify-backup.ts";
import { pairingAddresses } from "../operator/terminals/pairing.ts";
import { isLoopback } from "../platform/loopback.ts";
import { StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import { type Command, type CommandContext, exitCode } from "./command.ts";
import { hubApi } from "./hub-api.ts";
import { type Subject, findSubject } from "./find-subject.ts";

interface Finding {
  ok: boolean;
  detail: string;
}

/** Runs the tests of the setup wizard from the command line. */
export const doctor: Command = {
  usage: "doctor [--json]",
  summary:
    "checks settings, port, data file, file permissions, secrets, disk, backups, their second folder, network and back-office",
  maxPositionals: 0,
  async run(context) {
    const { subject, findings } = await examine(context);
    const isOk = findings.every((finding) => finding.ok);
    return {
      json: { ok: isOk, ...subject?.json, findings },
      lines: [
        ...(subject?.lines ?? []),
        ...findings.map(({ check, ok, detail }) => `${ok ? "ok  " : "FAIL"}  ${check}: ${detail}`),
      ],
      exitCode: isOk ? exitCode.done : exitCode.failed,
    };
  },
};

interface Examination {
  subject?: Subject;
  findings: (Finding & { check: string })[];
}

/** Examines what the running hub uses or, without one, what a start would use. */
async function examine(options: CommandContext): Promise<Examination> {
  let subject: Subject;
  try {
    subject = await findSubject(options, { asks: false });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { findings: [{ check: "settings", ok: false, detail: error.message }] };
  }
  const { config } = subject;
  const context: CommandContext = { ...options, config: () => config };
  const findings: Record<string, Finding> = {
    settings: { ok: true, detail: "all valid" },
    port: await examinePort(context, config),
    "data file": await examineDataFile(context, config),
    files: examineFiles(config),
    secrets: examineSecrets(context, config),
    disk: examineDisk(config),
    backups: examineBackups(config),
    "second backup folder": examineSecondFolder(config),
    network: examineNetwork(config),
    "back-office": await examineBackOffice(context, subject),
  };
  return { subject, findings: Object.entries(findings).map(([check, finding]) => ({ check, ...finding })) };
}

async function examinePort(context: CommandContext, { host, port }: HubConfig): Promise<Finding> {
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
  if (isFree) return { ok: true, detail: `${port} is free` };
  const isHub = await hubApi(context)
    .health()
    .then((health) => "connectedTerminals" in health)
    .catch(() => false);
  const detail = isHub ? `a hub is running on ${port}` : `${port} (HUB_HTTP_PORT) is in use by another program`;
  return { ok: isHub, detail };
}

async function examineDataFile(context: CommandContext, { dbPath, backupDir }: HubConfig): Promise<Finding> {
  if (!existsSync(path.dirname(dbPath))) return { ok: true, detail: `${dbPath} will be created at the first start` };
  if (isDataFileLocked(dbPath)) {
    // The running hub knows its data file's state. If it does not answer, the port check fails.
    const hasProblem = await hubApi(context)
      .health()
      .then(({ reasons }) => reasons.includes("data_file"))
      .catch(() => false);
    const detail = hasProblem
      ? `${dbPath} is in use by a running hub, which found a problem in it: see Data file under System on its screens`
      : `${dbPath} is in use by a running hub`;
    return { ok: !hasProblem, detail };
  }
  const problem = assessDataFile(dbPath, backupDir);
  if (problem !== null) return { ok: false, detail: problem };
  if (existsSync(dbPath)) return { ok: true, detail: `${dbPath} is sound` };
  return { ok: isWritable(path.dirname(dbPath)), detail: `${dbPath} will be created at the first start` };
}

function examineFiles({ dbPath, backupDir }: HubConfig): Finding {
  const open = openToOthers(dbPath, backupDir);
  if (open.length === 0) return { ok: true, detail: "no other account can read them" };
  const detail = `other accounts can read ${open.join(", ")}; the next start of the hub corrects that if it is allowed to`;
  return { ok: false, detail };
}

/** Checks whether webhooks can be signed. A running hub shows unreadable secrets on its screens. */
function examineSecrets({ world }: CommandContext, { dbPath }: HubConfig): Finding {
  const keyFile = keyFileOf(dbPath);
  if (existsSync(keyFile) && readKey(keyFile) === null) {
    return { ok: false, detail: `${keyFile} is not a valid key: replace it with the right one` };
  }
  const locked = existsSync(dbPath) && !isDataFileLocked(dbPath) ? countLocked(dbPath, world) : 0;
  if (locked === 0) return { ok: true, detail: "the hub can read them" };
  const need = locked === 1 ? "webhook needs" : "webhooks need";
  const detail = `${locked} ${need} a new secret, or the key file that belongs to this data file: ${keyFile}`;
  return { ok: false, detail };
}

/** Returns 0 if the data file cannot be read: it has a check of its own. */
function countLocked(dbPath: string, world: World): number {
  try {
    return countLockedSecrets(dbPath, world);
  } catch {
    return 0;
  }
}

function examineDisk({ dbPath }: HubConfig): Finding {
  const free = freeBytes(path.dirname(dbPath));
  return { ok: free > LOW_DISK_BYTES, detail: `${sizeText(free)} free` };
}

function examineBackups({ backupDir, dbPath }: HubConfig): Finding {
  const [newest] = backupsOf(backupDir, ownerBeside(dbPath));
  if (newest === undefined) return { ok: true, detail: `none yet in ${backupDir}` };
  const { ok, detail } = verifyBackup(newest.path);
  const at = new Date(newest.createdAt).toISOString();
  return {
    ok,
    detail: ok ? `the newest, of ${at}, is good` : `${newest.path}: ${detail} (${dbPath})`,
  };
}

function examineSecondFolder({ secondBackupDir, dbPath }: HubConfig): Finding {
  if (secondBackupDir === null) return { ok: true, detail: "none is set (HUB_BACKUP_SECOND_DIR)" };
  const test = testFolder(secondBackupDir, dbPath);
  if (!test.ok) return { ok: false, detail: `${secondBackupDir}: ${test.detail}` };
  const space = test.freeBytes === null ? "" : `, ${sizeText(test.freeBytes)} free`;
  const disk = test.isSameDisk ? "; it is on the same disk as the data file, so both can be lost together" : "";
  const [newest] = backupsOf(secondBackupDir, ownerBeside(dbPath));
  const copy =
    newest === undefined ? "no copy yet" : `the newest copy is of ${new Date(newest.createdAt).toISOString()}`;
  return { ok: true, detail: `${secondBackupDir} can be written${space}; ${copy}${disk}` };
}

function examineNetwork({ host, port, trustedProxies }: HubConfig): Finding {
  if (isLoopback(host)) {
    const isBehindProxy = trustedProxies.length > 0;
    const detail = isBehindProxy
      ? `the hub listens on ${host} only (HUB_HOST): terminals reach it through the proxy`
      : `the hub listens on ${host} only (HUB_HOST), so no terminal on the network can reach it: set HUB_HOST to 0.0.0.0`;
    return { ok: isBehindProxy, detail };
  }
  const addresses = pairingAddresses({ host, port }).filter((address) => address.kind === "lan");
  const detail = addresses.map((address) => address.wsUrl).join(", ");
  return {
    ok: addresses.length > 0,
    detail: addresses.length > 0 ? `terminals reach it at ${detail}` : "this machine is on no local network",
  };
}

async function examineBackOffice(context: CommandContext, { config, isRunning }: Subject): Promise<Finding> {
  const { world } = context;
  const { url, db, credentials } = config.backOffice;
  // Only the running hub may know its password: then it reports whether it can connect.
  if (credentials === null && isRunning) return examineConnection(context, url);
  if (credentials === null) return { ok: false, detail: "no account is set (ERP_USER, ERP_PASSWORD)" };
  const client = createBackOfficeClient({ world, url, db, onContact: () => {} });
  try {
    const { token, value } = await client.authenticate(credentials.user, credentials.password);
    const { value: start } = await client.bootstrap(token);
    const count = start.config.floors.flatMap((floor) => floor.tables).length;
    const tables = count === 1 ? "table" : "tables";
    const detail = `signed in at ${url} as ${value.userName}, ${count} ${tables} found`;
    return { ok: true, detail };
  } catch (error) {
    if (!(error instanceof BackOfficeError)) throw error;
    return { ok: false, detail: `${url} (ERP_URL): ${error.message}` };
  } finally {
    client.stop();
  }
}

async function examineConnection(context: CommandContext, url: string): Promise<Finding> {
  const health = await hubApi(context)
    .health()
    .catch(() => null);
  if (health === null) return { ok: false, detail: `the running hub does not say whether it reaches ${url} (ERP_URL)` };
  if (health.reasons.includes("no_credentials")) {
    return { ok: false, detail: "the running hub has no account (ERP_USER, ERP_PASSWORD)" };
  }
  if (health.reasons.includes("credentials_refused")) {
    return { ok: false, detail: `${url} (ERP_URL) refuses the running hub's account (ERP_USER, ERP_PASSWORD)` };
  }
  const isUp = !health.reasons.includes("back_office_unreachable");
  const last = health.lastErpSync === null ? "it has not answered yet" : `it last answered at ${health.lastErpSync}`;
  return { ok: isUp, detail: `the running hub ${isUp ? "reaches" : "cannot reach"} ${url} (ERP_URL): ${last}` };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(existsSync(folder) ? folder : path.dirname(folder), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
