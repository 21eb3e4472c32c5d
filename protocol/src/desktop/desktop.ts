import { z } from "zod";
import { Language } from "../basics/language.ts";
import type { Sentence } from "../operator/sentences.ts";
import { ChangeSettings, type Setting } from "../operator/system.ts";
import type { Pairing } from "../operator/terminals.ts";
import { HUB_NAME_MAX, type SettingInput } from "../settings.ts";

/** The role of the app on its PC: it runs the hub, or it is a terminal of another hub. */
export const DesktopRole = z.enum(["hub", "terminal"]);
export type DesktopRole = z.infer<typeof DesktopRole>;

/**
 * The settings of the desktop app. An environment variable overrides the saved value and is listed in `fromEnvironment`. The
 * password is stored separately, encrypted by the system's key store.
 */
export const DesktopSettings = z.strictObject({
  language: Language,
  hubName: z.string().trim().min(1).max(HUB_NAME_MAX),
  port: z.int().min(1).max(65_535),
  backOffice: z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    database: z.string().trim().min(1).max(128),
    login: z.string().max(128),
  }),
  plugins: z.array(z.string().regex(/^[a-z0-9-]{1,64}$/)).max(32),
  startAtLogin: z.boolean(),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;

/** The settings to save. `password` is set only if it changes, which a change of the account requires. */
export const SaveDesktopSettings = DesktopSettings.extend({ password: z.string().max(256).optional() });
export type SaveDesktopSettings = z.infer<typeof SaveDesktopSettings>;

/** The settings as a page sees them, without the password. */
export interface DesktopSettingsState {
  settings: DesktopSettings;
  passwordSet: boolean;
  /** Names of the environment variables that override saved settings, for example `HUB_HTTP_PORT`. */
  fromEnvironment: string[];
  /** The first-run wizard has been finished. */
  configured: boolean;
  /** The number of backups that the wizard can offer. */
  backupsFound: number;
}

/** A live test of the wizard. */
export const DesktopTest = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("port"), port: z.int().min(1).max(65_535) }),
  z.strictObject({
    what: z.literal("back_office"),
    url: z.url({ protocol: /^https?$/ }),
    database: z.string().min(1).max(128),
    login: z.string().min(1).max(128),
    /** Absent: uses the saved password, if it was saved for this address, database and login. */
    password: z.string().max(256).optional(),
  }),
]);
export type DesktopTest = z.infer<typeof DesktopTest>;

/** The page derives its texts from the codes; `error` is the original error message. */
export type DesktopTestResult =
  | {
      ok: true;
      what: "port";
      /** The addresses at which terminals can reach the hub. */
      addresses: string[];
      /** The environment restricts the hub to this computer (HUB_HOST), so terminals cannot reach it. */
      localOnly: boolean;
    }
  | {
      ok: true;
      what: "back_office";
      userName: string;
      tables: number;
      floors: number;
      products: number;
      hubMode: boolean;
    }
  | {
      ok: false;
      what: "port" | "back_office";
      reason:
        | "port_taken"
        | "port_not_allowed"
        | "unreachable"
        | "not_a_back_office"
        | "unknown_database"
        | "refused"
        | "second_factor"
        /** The saved password is for another address, database or user, so it has to be entered. */
        | "password_needed"
        /** The address contains a user or password, which have separate fields. */
        | "credentials_in_address"
        | "no_pos"
        | "failed";
      error: string;
      /** The program that uses the port, if the system reports it. */
      heldBy?: string;
      /** A free port to use instead. */
      suggestedPort?: number;
    };

/** The newer version as a screen shows it, without the download address. */
export interface UpdateOffer {
  version: string;
  notes: string;
  publishedAt: string;
}

/** The progress of a download; `totalBytes` is null if the host sends no length. */
export interface UpdateProgress {
  transferredBytes: number;
  totalBytes: number | null;
  bytesPerSecond: number;
}

/**
 * The state of updates in the desktop client. `overlay` covers the whole screen and can be postponed with 'Later'.
 * `downloading`, `verifying` and `installing` cannot be dismissed. `fallback` offers 'Continue Anyway'. `problem` says in one
 * sentence why the last attempt failed; `notice` says what a person still has to do.
 */
export type UpdateState =
  | { name: "checking" }
  | { name: "app" }
  | {
      name: "overlay";
      offer: UpdateOffer;
      action: "install" | "open-download";
      problem: string | null;
      notice: string | null;
    }
  | { name: "downloading"; offer: UpdateOffer; progress: UpdateProgress | null }
  | { name: "verifying"; offer: UpdateOffer }
  | { name: "installing"; offer: UpdateOffer }
  | { name: "fallback"; problem: string };

/** The operator's choices: 'Install Update' (or 'Download Update'), 'Later', 'Continue Anyway', 'Try Again'. */
export const UpdateChoice = z.enum(["install", "later", "continue-anyway", "try-again"]);
export type UpdateChoice = z.infer<typeof UpdateChoice>;

/** The result of a check. `no_channel`: nothing was requested. `pending`: a choice is open, or a step is running. */
export type UpdateCheck = "no_channel" | "up_to_date" | "pending";

export type DesktopHubState =
  | { state: "starting" }
  | { state: "running"; url: string; port: number }
  | { state: "restarting" }
  | {
      state: "failed";
      /**
       * `backup_folder`: cannot take the copy before an update. `data_file`: damaged and moved aside. `data_file_missing`: there was one before. `restore_unfinished`: another program
       * has its files open. `data_file_unusable`: not a hub's file, or it cannot be read or written.
       */
      reason:
        | "setting"
        | "backup_folder"
        | "port_in_use"
        | "data_file"
        | "data_file_missing"
        | "data_file_in_use"
        | "data_file_newer"
        | "data_file_unusable"
        | "restore_unfinished"
        | "other";
      error: string;
      heldBy?: string;
      suggestedPort?: number;
      backupsFound: number;
      /** Names of the settings that prevent the hub from starting, if known. */
      settings: string[];
    };

export interface DesktopInfo {
  appVersion: string;
  platform: "win32" | "linux" | "darwin";
  arch: string;
  packaged: boolean;
  dataFolder: string;
}

/**
 * The result of a save. `restarting`: the hub restarted because of it; `url` is its current address. Pages show their own text
 * for `code`; `error` is the original message.
 */
export type SaveResult =
  | { ok: true; restarting: boolean; url: string }
  | { ok: false; error: string; code?: "data_file_in_use" | "backup_unusable" | "restore_unfinished" };

/** `said`: the error in translatable form, if it is one of the hub's sentences. */
export type ChangeResult = { ok: true } | { ok: false; error: string; said?: Sentence };

/** A backup that the page can offer if the hub cannot start. */
export interface DesktopBackup {
  /** The full path, which identifies it for restoring. */
  path: string;
  /** When it was made, ISO 8601. It lacks everything recorded later. */
  madeAt: string;
  bytes: number;
  kind: "daily" | "manual" | "migration" | "other";
  /** Minimum number of changes that the hub is known to have recorded after it; null if unknown. */
  changesAfter: number | null;
}

/** Newest content first. `newestGood`: the path of the newest one that appears to be good. */
export interface DesktopBackups {
  backups: DesktopBackup[];
  newestGood: string | null;
}

/** The result of the system's file dialog. */
export type ChosenBackups = { cancelled: true } | { cancelled: false; backups: DesktopBackup[] };

/** A backup that can be restored before the first setup is finished; times are ISO. */
export interface OfferedBackup {
  path: string;
  /** The restaurant's name; null if the backup has none. */
  restaurant: string | null;
  createdAt: string;
  bytes: number;
  orders: number;
  activeOrders: number;
}

/** The newest good backup of each hub in a file or folder; `error` says in English why there is none. */
export type OfferedBackups =
  | { ok: true; backups: OfferedBackup[] }
  | { ok: false; reason: "none" | "damaged" | "missing" | "not_first_run" | "failed"; error: string };

/** Whether backups can be written to a folder. `sameDisk`: it is on the data file's disk. */
export type FolderTestResult =
  | { ok: true; freeBytes: number | null; sameDisk: boolean }
  | { ok: false; reason: "missing" | "not_writable" | "failed"; error: string };

/** A setting of the hub, with the form input for it. */
export interface DesktopHubSetting extends Setting {
  input: SettingInput;
}

/** `window.desktop`, the app's functions for its page. Absent in a browser. */
export interface DesktopBridge {
  info(): Promise<DesktopInfo>;
  getSettings(): Promise<DesktopSettingsState>;
  testSettings(test: DesktopTest): Promise<DesktopTestResult>;
  /** Probes the usual addresses and returns those where a back-office answers; takes a few seconds at most. */
  findBackOffices(): Promise<string[]>;
  saveSettings(settings: SaveDesktopSettings): Promise<SaveResult>;
  /** Every setting of the hub with its saved value, even while the hub cannot start. */
  getHubSettings(): Promise<DesktopHubSetting[]>;
  /** Saves settings of the hub by name, all or none; null restores the default. They take effect at its next start. */
  changeHubSettings(values: Readonly<Record<string, string | null>>): Promise<ChangeResult>;
  getHubState(): Promise<DesktopHubState>;
  getPairing(): Promise<Pairing | null>;
  getUpdate(): Promise<UpdateState>;
  /** Checks now; `onUpdate` reports the new state. */
  checkForUpdate(): Promise<UpdateCheck>;
  chooseUpdate(choice: UpdateChoice): Promise<void>;
  restartHub(): Promise<DesktopHubState>;
  restoreNewestBackup(): Promise<SaveResult>;
  getBackups(): Promise<DesktopBackups>;
  /** Opens the system's dialog to choose a backup, or a folder with backups. */
  chooseBackups(from: "file" | "folder"): Promise<ChosenBackups>;
  /** Searches a file or folder of this computer for good backups. Rejected after the first setup is finished. */
  findBackups(place: string): Promise<OfferedBackups>;
  /** Opens the system's dialog to choose a folder; null if cancelled. */
  chooseFolder(): Promise<string | null>;
  /**
   * Restores a listed, chosen or found backup after reading it completely, and keeps the current data file aside. After the
   * first setup, this and `restoreNewestBackup` are rejected unless the hub cannot start.
   */
  restoreBackup(path: string): Promise<SaveResult>;
  /** Writes a small file to a folder and reads it back. */
  testFolder(folder: string): Promise<FolderTestResult>;
  /** Starts with an empty data file and keeps the current one aside. */
  beginEmpty(): Promise<SaveResult>;
  cancelRestore(): Promise<SaveResult>;
  openLogs(): Promise<void>;
  openDataFolder(): Promise<void>;
  /** Saves a support bundle where the person chooses. Resolves with its path, or null if cancelled. */
  saveDiagnostics(): Promise<string | null>;
  setLanguage(language: Language): Promise<void>;
  /** Restarts the app as a terminal. False, without any change, if the person at this PC chose to keep the hub running. */
  becomeTerminal(): Promise<boolean>;
  quit(): Promise<void>;
  /** Both return a function that ends the subscription. */
  onUpdate(listener: (update: UpdateState) => void): () => void;
  onHubState(listener: (hub: DesktopHubState) => void): () => void;
}

/** The names of a bridge's methods, without its subscriptions. */
export type BridgeMethod<Bridge> = Exclude<keyof Bridge, `on${string}`>;
/** Maps each subscription to its channel. */
export type BridgePushes<Bridge> = Record<Exclude<keyof Bridge, BridgeMethod<Bridge>>, string>;
export type BridgeArguments<Bridge> = {
  [M in BridgeMethod<Bridge> as Bridge[M] extends () => unknown ? never : M]: z.ZodType;
};

const oneText = z.tuple([z.string().trim().min(1).max(4_096)]);

/** Schemas of the methods that take arguments. The main process checks the arguments and the sender. */
export const desktopArguments = {
  testSettings: z.tuple([DesktopTest]),
  saveSettings: z.tuple([SaveDesktopSettings]),
  changeHubSettings: z.tuple([ChangeSettings.shape.values]),
  chooseUpdate: z.tuple([UpdateChoice]),
  chooseBackups: z.tuple([z.enum(["file", "folder"])]),
  findBackups: oneText,
  restoreBackup: oneText,
  testFolder: oneText,
  setLanguage: z.tuple([Language]),
} as const satisfies BridgeArguments<DesktopBridge>;

/** The channels on which the main process pushes to the page. */
export const desktopPushes = {
  onUpdate: "desktop:update",
  onHubState: "desktop:hubState",
} as const satisfies BridgePushes<DesktopBridge>;
