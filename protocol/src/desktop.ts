import { z } from "zod";
import { ChangeSettings, type Setting } from "./operator/system.ts";
import type { Pairing } from "./operator/terminals.ts";
import { HUB_NAME_MAX } from "./settings.ts";

/** Languages of every screen. */
export const Language = z.enum(["es", "en"]);
export type Language = z.infer<typeof Language>;

/**
 * The settings of the desktop app. Kept in its own folder, the password by the system's safe storage. A variable of the
 * environment wins over each of them and is named in `fromEnvironment`.
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

/** What the page sends to save: the password only when it is to be changed, which it is with the account. */
export const SaveDesktopSettings = DesktopSettings.extend({ password: z.string().max(256).optional() });
export type SaveDesktopSettings = z.infer<typeof SaveDesktopSettings>;

/** What the page is told: never the password. */
export interface DesktopSettingsState {
  settings: DesktopSettings;
  passwordSet: boolean;
  /** Names of the environment variables that win over what is saved, for example `HUB_HTTP_PORT`. */
  fromEnvironment: string[];
  /** The first-run wizard has been finished once. */
  configured: boolean;
  /** Backups that the wizard can offer to restore. */
  backupsFound: number;
}

/** One live test of the wizard. */
export const DesktopTest = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("port"), port: z.int().min(1).max(65_535) }),
  z.strictObject({
    what: z.literal("back_office"),
    url: z.url({ protocol: /^https?$/ }),
    database: z.string().min(1).max(128),
    login: z.string().min(1).max(128),
    /** Absent: the one that is kept, if it is kept for this address, database and login. */
    password: z.string().max(256).optional(),
  }),
]);
export type DesktopTest = z.infer<typeof DesktopTest>;

/** Codes are put into words by the page; `error` holds the other side's own words. */
export type DesktopTestResult =
  | { ok: true; what: "port"; addresses: string[] }
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
        /** The kept password is not for this address, database and user: it has to be typed. */
        | "password_needed"
        | "no_pos"
        | "failed";
      error: string;
      /** Who holds a taken port, as far as the system tells. */
      heldBy?: string;
      /** A free port to offer instead. */
      suggestedPort?: number;
    };

/** The newer version as a screen may show it; it never carries the download address. */
export const UpdateOffer = z.strictObject({ version: z.string(), notes: z.string(), publishedAt: z.string() });
export type UpdateOffer = z.infer<typeof UpdateOffer>;

/** How far a download is; `totalBytes` is null while the host has not announced a length. */
export const UpdateProgress = z.strictObject({
  transferredBytes: z.int().min(0),
  totalBytes: z.int().min(0).nullable(),
  bytesPerSecond: z.number().min(0),
});
export type UpdateProgress = z.infer<typeof UpdateProgress>;

/**
 * Where the desktop client stands with updates. `overlay` covers the whole screen and can be put off with 'Later';
 * `downloading`, `verifying` and `installing` cannot be dismissed; `fallback` offers 'Continue Anyway'.
 * `problem` says in one sentence why the last attempt came to nothing; `notice` what is left for a person to do.
 */
export const UpdateState = z.discriminatedUnion("name", [
  z.strictObject({ name: z.literal("checking") }),
  z.strictObject({ name: z.literal("app") }),
  z.strictObject({
    name: z.literal("overlay"),
    offer: UpdateOffer,
    action: z.enum(["install", "open-download"]),
    problem: z.string().nullable(),
    notice: z.string().nullable(),
  }),
  z.strictObject({ name: z.literal("downloading"), offer: UpdateOffer, progress: UpdateProgress.nullable() }),
  z.strictObject({ name: z.literal("verifying"), offer: UpdateOffer }),
  z.strictObject({ name: z.literal("installing"), offer: UpdateOffer }),
  z.strictObject({ name: z.literal("fallback"), problem: z.string() }),
]);
export type UpdateState = z.infer<typeof UpdateState>;

/** What an operator can press: 'Install Update' (or 'Download Update'), 'Later', 'Continue Anyway', 'Try Again'. */
export const UpdateChoice = z.enum(["install", "later", "continue-anyway", "try-again"]);
export type UpdateChoice = z.infer<typeof UpdateChoice>;

/** What came of a check: `no_channel` asked nobody, `pending` waits for a choice, or for what is under way. */
export type UpdateCheck = "no_channel" | "up_to_date" | "pending";

/** Whether the hub inside the app runs. */
export type DesktopHubState =
  | { state: "starting" }
  | { state: "running"; url: string; port: number }
  | { state: "restarting" }
  | {
      state: "failed";
      /**
       * `data_file` is damaged and set aside, `data_file_missing` is gone although there was one, `restore_unfinished`
       * waits for its files to be free, `data_file_unusable` is not a hub's or cannot be read or written.
       */
      reason:
        | "setting"
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
      /** Names of the settings that stand in the way, as far as they are known. */
      settings: string[];
    };

export interface DesktopInfo {
  appVersion: string;
  platform: "win32" | "linux" | "darwin";
  arch: string;
  packaged: boolean;
  dataFolder: string;
}

/** A saved change: `restarting` when the hub starts again for it; its new address once it runs. */
export type SaveResult = { ok: true; restarting: boolean; url: string } | { ok: false; error: string };

export type ChangeResult = { ok: true } | { ok: false; error: string };

/** `window.desktop`: what the app offers its page. Absent in a browser. */
export interface DesktopBridge {
  info(): Promise<DesktopInfo>;
  getSettings(): Promise<DesktopSettingsState>;
  testSettings(test: DesktopTest): Promise<DesktopTestResult>;
  saveSettings(settings: SaveDesktopSettings): Promise<SaveResult>;
  /** Every setting of the hub, with what is saved for it, also while no hub can start with them. */
  getHubSettings(): Promise<Setting[]>;
  /** Saves settings of the hub by name, all or none; null goes back to the default. They hold from its next start. */
  changeHubSettings(values: Readonly<Record<string, string | null>>): Promise<ChangeResult>;
  getHubState(): Promise<DesktopHubState>;
  getPairing(): Promise<Pairing | null>;
  getUpdate(): Promise<UpdateState>;
  /** Checks now; what there is to choose is told by `onUpdate`. */
  checkForUpdate(): Promise<UpdateCheck>;
  chooseUpdate(choice: UpdateChoice): Promise<void>;
  restartHub(): Promise<DesktopHubState>;
  restoreNewestBackup(): Promise<SaveResult>;
  /** Begins with an empty data file; what is there is kept aside. */
  beginEmpty(): Promise<SaveResult>;
  /** Takes back a restore that could not be finished. */
  cancelRestore(): Promise<SaveResult>;
  openLogs(): Promise<void>;
  openDataFolder(): Promise<void>;
  setLanguage(language: Language): Promise<void>;
  quit(): Promise<void>;
  /** Each returns the function that ends the subscription. */
  onUpdate(listener: (update: UpdateState) => void): () => void;
  onHubState(listener: (hub: DesktopHubState) => void): () => void;
}

const none = z.tuple([]);

/** The invoke channels with their arguments: `desktop:<method>`. The main process checks the sender and these. */
export const desktopChannels = {
  info: { channel: "desktop:info", args: none },
  getSettings: { channel: "desktop:getSettings", args: none },
  testSettings: { channel: "desktop:testSettings", args: z.tuple([DesktopTest]) },
  saveSettings: { channel: "desktop:saveSettings", args: z.tuple([SaveDesktopSettings]) },
  getHubSettings: { channel: "desktop:getHubSettings", args: none },
  changeHubSettings: { channel: "desktop:changeHubSettings", args: z.tuple([ChangeSettings.shape.values]) },
  getHubState: { channel: "desktop:getHubState", args: none },
  getPairing: { channel: "desktop:getPairing", args: none },
  getUpdate: { channel: "desktop:getUpdate", args: none },
  checkForUpdate: { channel: "desktop:checkForUpdate", args: none },
  chooseUpdate: { channel: "desktop:chooseUpdate", args: z.tuple([UpdateChoice]) },
  restartHub: { channel: "desktop:restartHub", args: none },
  restoreNewestBackup: { channel: "desktop:restoreNewestBackup", args: none },
  beginEmpty: { channel: "desktop:beginEmpty", args: none },
  cancelRestore: { channel: "desktop:cancelRestore", args: none },
  openLogs: { channel: "desktop:openLogs", args: none },
  openDataFolder: { channel: "desktop:openDataFolder", args: none },
  setLanguage: { channel: "desktop:setLanguage", args: z.tuple([Language]) },
  quit: { channel: "desktop:quit", args: none },
} as const satisfies Record<Exclude<keyof DesktopBridge, `on${string}`>, { channel: string; args: z.ZodType }>;

/** The channels by which the main process pushes to the page. */
export const desktopPushes = { update: "desktop:update", hubState: "desktop:hubState" } as const;
