import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { DesktopSettings } from "@comanda/protocol";
import fc from "fast-check";
import { readHubConfig } from "@comanda/hub/settings/config.ts";
import type { Environment } from "./settings-fields.ts";
import { createSettingsStore } from "./settings.ts";
import type { SafeStorage } from "./settings-values.ts";

/** Fake key store: its output does not contain the text. */
const safeStorage: SafeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text) => Buffer.from(Buffer.from(text).toString("hex")),
  decryptString: (bytes) => Buffer.from(bytes.toString(), "hex").toString(),
};

interface StartOptions {
  env?: Environment;
  folder?: string;
  storage?: SafeStorage;
}

function open({
  env = {},
  folder = mkdtempSync(path.join(tmpdir(), "settings-")),
  storage = safeStorage,
}: StartOptions = {}) {
  const store = createSettingsStore({ folder, safeStorage: storage, env, systemLanguage: "es", countBackups: () => 2 });
  return { store, folder, file: path.join(folder, "settings.json") };
}

const chosen = {
  language: "en" as const,
  hubName: "La Terraza",
  port: 9100,
  backOffice: { url: "http://192.168.1.5:8069", database: "terraza", login: "hub" },
  plugins: ["reservations"],
  startAtLogin: true,
};

it("saved settings survive a restart, and the app counts as configured from then on [DESK-20]", () => {
  const { store, folder } = open();
  expect(store.state()).toMatchObject({ configured: false, passwordSet: false, backupsFound: 2 });
  store.save({ ...chosen, password: "s3cret" });
  expect(open({ folder }).store.state()).toEqual({
    settings: chosen,
    passwordSet: true,
    fromEnvironment: [],
    configured: true,
    backupsFound: 2,
  });
});

it("the app does not start with other settings if the system withholds the settings file [DESK-174]", () => {
  const { folder, file } = open();
  mkdirSync(file);
  expect(() => open({ folder })).toThrow(/settings\.json cannot be read: EISDIR/);
  expect(readdirSync(folder)).toEqual(["settings.json"]);
  // Also if it cannot be determined whether the file exists.
  rmdirSync(file);
  symlinkSync("settings.json", file);
  expect(() => open({ folder })).toThrow(/settings\.json cannot be read: ELOOP/);
});

it("a settings file saved by a Windows editor does not count as damaged [DESK-190]", () => {
  const { store, folder, file } = open();
  store.save({ ...chosen, hubName: "La Piña" });
  const text = readFileSync(file, "utf8");
  const saved = [`\uFEFF${text}`, Buffer.from(`\uFEFF${text}`, "utf16le"), Buffer.from(text, "latin1")];
  for (const each of saved) {
    writeFileSync(file, each);
    expect(open({ folder }).store.state().settings).toEqual(store.state().settings);
  }
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

it("a hub's new address is used even if it cannot be saved [DESK-175]", () => {
  const { store, folder, file } = open();
  store.save(chosen);
  // As on a full disk.
  mkdirSync(`${file}.part`);
  const hub = { id: "h1", name: "La Terraza", url: "http://192.168.1.9:8766" };
  expect(store.rememberHub(hub)).toMatchObject({ code: "EISDIR" });
  expect(store.terminal().hub).toEqual(hub);
  expect(() => store.setLanguage("es")).toThrow("EISDIR");
  rmdirSync(`${file}.part`);
  store.setLanguage("es");
  expect(open({ folder }).store.terminal().hub).toEqual(hub);
});

it("a settings file that cannot be parsed is set aside and reported [DESK-20]", () => {
  const { folder, file } = open();
  writeFileSync(file, "{ not json");
  const { store } = open({ folder });
  expect(store.state().configured).toBe(false);
  expect(store.damage()).toContain("settings.json.damaged-");
  const [damaged] = readdirSync(folder).filter((name) => name.includes(".damaged-"));
  expect(readFileSync(path.join(folder, damaged ?? ""), "utf8")).toBe("{ not json");
});

it("the password is encrypted, given to the hub only, and stays if none is typed [DESK-21]", () => {
  const { store, file } = open();
  store.save({ ...chosen, password: "s3cret" });
  store.save({ ...chosen, port: 9200 });
  expect(readFileSync(file, "utf8")).not.toContain("s3cret");
  expect(JSON.stringify(store.state())).not.toContain("s3cret");
  expect(store.hubEnvironment()).toMatchObject({ ERP_USER: "hub", ERP_PASSWORD: "s3cret", HUB_HTTP_PORT: "9200" });
});

it("nothing is saved if the key store does not answer [DESK-21]", () => {
  const { store } = open({ storage: { ...safeStorage, isEncryptionAvailable: () => false } });
  expect(() => store.save({ ...chosen, password: "s3cret" })).toThrow(/key store/);
  expect(store.state().configured).toBe(false);
});

it("a password that the key store can no longer decrypt has to be typed again [DESK-21]", () => {
  const { store, folder } = open();
  store.save({ ...chosen, password: "s3cret" });
  const closed = () => {
    throw new Error("another user");
  };
  const after = open({ folder, storage: { ...safeStorage, decryptString: closed } }).store;
  expect(after.state()).toMatchObject({ settings: chosen, passwordSet: false });
});

it("environment variables override saved settings and are named [DESK-22]", () => {
  const env = {
    ERP_URL: "http://10.0.0.2:8069",
    HUB_HTTP_PORT: "8800",
    ERP_USER: "",
    HUB_NAME: "  ",
    HUB_LEASE_TTL_MS: "5000",
  };
  const { store } = open({ env });
  store.save({ ...chosen, password: "s3cret" });
  const { settings, fromEnvironment } = store.state();
  expect(fromEnvironment).toEqual(["HUB_HTTP_PORT", "ERP_URL", "ERP_USER"]);
  expect(settings).toMatchObject({
    port: 8800,
    hubName: "La Terraza",
    backOffice: { url: "http://10.0.0.2:8069", login: "" },
  });
  expect(store.hubEnvironment()).toMatchObject({ ERP_USER: "", HUB_NAME: "La Terraza", HUB_LEASE_TTL_MS: "5000" });
});

it("values from the environment are not saved [DESK-22]", () => {
  const { store, folder } = open({ env: { ERP_URL: "http://10.0.0.2:8069", HUB_HTTP_PORT: "8800" } });
  store.save({ ...store.state().settings, hubName: "La Terraza" });
  const { settings } = open({ folder }).store.state();
  expect(settings).toMatchObject({ hubName: "La Terraza", port: 8766, backOffice: { url: "http://127.0.0.1:8069" } });
});

it("an invalid environment variable is left for the hub to refuse [DESK-22]", () => {
  const { store } = open({ env: { HUB_HTTP_PORT: "many" } });
  expect(store.state().settings.port).toBe(8766);
  expect(store.hubEnvironment()["HUB_HTTP_PORT"]).toBe("many");
});

it("a relative path is relative to the app's own folder, wherever the app was started [DESK-177]", () => {
  const { store, folder } = open();
  const elsewhere = path.join(tmpdir(), "elsewhere");
  store.saveValues({ HUB_DB_PATH: "datos/hub.sqlite", HUB_BACKUP_DIR: elsewhere, HUB_BACKUP_SECOND_DIR: "" });
  const config = readHubConfig(store.hubEnvironment());
  expect(config.dbPath).toBe(path.join(folder, "datos", "hub.sqlite"));
  expect(config.backupDir).toBe(elsewhere);
  expect(config.secondBackupDir).toBeNull();
  store.saveValues({ HUB_DB_PATH: " " });
  expect(readHubConfig(store.hubEnvironment()).dbPath).toBe(path.join(folder, "hub.sqlite"));
});

it("changes from the System screen are saved by the hub's variables [DESK-28]", () => {
  const { store, folder } = open();
  store.save({ ...chosen, password: "s3cret" });
  store.saveValues({ HUB_HTTP_PORT: "9300", HUB_LEASE_TTL_MS: "30000", ERP_PASSWORD: "n3w", HUB_NAME: null });
  const again = open({ folder }).store;
  expect(again.state().settings).toMatchObject({ port: 9300, backOffice: chosen.backOffice });
  expect(again.state().settings.hubName).toMatch(/^Comanda Hub /);
  expect(again.savedValues()).toMatchObject({ HUB_HTTP_PORT: "9300", HUB_LEASE_TTL_MS: "30000", ERP_PASSWORD: "n3w" });
  again.saveValues({ HUB_LEASE_TTL_MS: null, ERP_PASSWORD: null });
  expect(again.hubEnvironment()["HUB_LEASE_TTL_MS"]).toBeUndefined();
  expect(again.state().passwordSet).toBe(false);
});

it("no value is changed if one of them is invalid [DESK-28]", () => {
  const { store } = open();
  store.save(chosen);
  expect(() => store.saveValues({ HUB_NAME: "Other", HUB_HTTP_PORT: "many" })).toThrow();
  expect(store.state().settings).toEqual(chosen);
});

it("the saved password is used only for the account that it was saved for [DESK-62]", () => {
  const { store } = open();
  store.save({ ...chosen, password: "s3cret" });
  const { backOffice } = chosen;
  expect(store.passwordFor({ ...backOffice, url: `${backOffice.url}/` })).toBe("s3cret");
  for (const other of [
    { url: "http://evil.example:8069" },
    { url: "http://192.168.1.5:8069@evil.example" },
    { url: "https://192.168.1.5:8069" },
    { url: "http://192.168.1.5:80690" },
    { url: "http://192.168.1.5:8069/elsewhere" },
    { database: "other" },
    { login: "manager" },
  ]) {
    expect(store.passwordFor({ ...backOffice, ...other }), JSON.stringify(other)).toBeNull();
    expect(() => store.save({ ...chosen, backOffice: { ...backOffice, ...other } })).toThrow(/given again/);
  }
  expect(store.state().settings).toEqual(chosen);
  const moved = { ...chosen, backOffice: { ...backOffice, url: "http://192.168.1.6:8069" } };
  store.save({ ...moved, password: "an0ther" });
  expect(store.passwordFor(moved.backOffice)).toBe("an0ther");
  expect(store.passwordFor(backOffice)).toBeNull();
});

it("a password from the environment is used only for the address that is set with it [DESK-62]", () => {
  const { store } = open({ env: { ERP_PASSWORD: "s3cret" } });
  const other = { ...chosen, backOffice: { ...chosen.backOffice, url: "http://evil.example" } };
  expect(() => store.save({ ...other, password: "typed" })).toThrow(/given again/);
  expect(() => store.changeHubSettings({ ERP_URL: "http://evil.example", ERP_PASSWORD: "typed" })).toThrow(
    /ERP_PASSWORD: cannot be changed here, the environment sets it/,
  );
  expect(store.hubEnvironment()).toMatchObject({ ERP_URL: "http://127.0.0.1:8069", ERP_PASSWORD: "s3cret" });
});

it("an address with a user and password is not saved [DESK-170]", () => {
  const { store } = open({});
  store.save({ ...chosen, password: "s3cret" });
  const url = "http://hub:typed@192.168.1.6:8069";
  expect(() => store.save({ ...chosen, backOffice: { ...chosen.backOffice, url }, password: "s3cret" })).toThrow(
    /without user and password/,
  );
  expect(() => store.changeHubSettings({ ERP_URL: url, ERP_PASSWORD: "s3cret" })).toThrow(/without user and password/);
  expect(store.state().settings).toEqual(chosen);
});

it("local-only settings can be changed at this computer, with the same rules for the password [DESK-63]", () => {
  const { store } = open({ env: { HUB_LEASE_TTL_MS: "5000" } });
  store.save({ ...chosen, password: "s3cret" });
  store.changeHubSettings({ HUB_ALLOWED_HOSTS: "pos.example", HUB_HTTP_PORT: "9200" });
  expect(store.hubEnvironment()).toMatchObject({ HUB_ALLOWED_HOSTS: "pos.example", HUB_HTTP_PORT: "9200" });
  expect(() => store.changeHubSettings({ ERP_URL: "http://evil.example" })).toThrow(/values\.ERP_PASSWORD/);
  expect(() => store.changeHubSettings({ HUB_LEASE_TTL_MS: "6000" })).toThrow(/the environment sets it/);
  expect(() => store.changeHubSettings({ HUB_NAME: "Other", HUB_GRACE_MS: "soon" })).toThrow(/HUB_GRACE_MS/);
  expect(() => store.changeHubSettings({ HUB_HTTP_PORT: "0" })).toThrow(/values\.HUB_HTTP_PORT/);
  expect(store.state().settings).toEqual({ ...chosen, port: 9200 });
});

it("saved settings that keep the hub from starting are listed, so that they can be corrected [DESK-63]", () => {
  const { store, folder, file } = open();
  store.save(chosen);
  const saved = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...saved, others: { HUB_GRACE_MS: "soon", HUB_HOST: "10.9.9.9" } }));
  const bad = open({ folder }).store;
  expect(() => readHubConfig(bad.hubEnvironment())).toThrow(/HUB_GRACE_MS/);
  const of = (name: string) => bad.hubSettings().find((setting) => setting.name === name);
  expect(of("HUB_GRACE_MS")).toMatchObject({ value: "soon", source: "file", changeable: true });
  expect(of("HUB_HOST")).toMatchObject({ value: "10.9.9.9", changeable: true, localOnly: true });
  bad.changeHubSettings({ HUB_GRACE_MS: null, HUB_HOST: null });
  expect(readHubConfig(bad.hubEnvironment())).toMatchObject({ graceMs: 10_000, host: "0.0.0.0" });
});

it("a name may have 60 characters and no more [DESK-64]", () => {
  const named = (length: number) => DesktopSettings.safeParse({ ...chosen, hubName: "é".repeat(length) }).success;
  expect([named(60), named(61)]).toEqual([true, false]);
});

it("the hub starts with every value that the wizard accepts [DESK-64]", () => {
  const { store } = open();
  const word = (maxLength: number) =>
    fc.oneof(
      fc.string({ maxLength, unit: "grapheme" }),
      fc.integer({ min: maxLength - 4, max: maxLength }).map((length) => "é".repeat(length)),
    );
  const entered = fc.record({
    language: fc.constantFrom("es" as const, "en" as const),
    hubName: word(64),
    port: fc.integer({ min: -1, max: 70_000 }),
    backOffice: fc.record({
      url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), word(40)),
      database: word(130),
      login: word(130),
    }),
    plugins: fc.array(fc.oneof(fc.stringMatching(/^[a-z0-9-]{0,66}$/), word(5)), { maxLength: 3 }),
    startAtLogin: fc.boolean(),
  });
  fc.assert(
    fc.property(entered, (settings) => {
      const parsed = DesktopSettings.safeParse(settings);
      if (!parsed.success) return;
      store.save(parsed.data);
      readHubConfig(store.hubEnvironment());
    }),
    { numRuns: 500 },
  );
});

it("before the wizard is finished the hub runs without credentials, on a data file in the app's folder [DESK-23]", () => {
  const { store, folder } = open();
  expect(store.hubEnvironment()).toMatchObject({
    ERP_USER: "",
    ERP_PASSWORD: "",
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
  });
});

it("the app is a hub by default, and its role, hub and kiosk survive a restart and changed settings [DESK-76]", () => {
  const { store, folder, file } = open();
  expect([store.role(), store.terminal()]).toEqual(["hub", { hub: null, kiosk: false }]);
  store.save(chosen);
  const {
    role: _role,
    terminal: _terminal,
    ...earlier
  } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(earlier));
  const reopened = open({ folder }).store;
  expect([reopened.role(), reopened.terminal()]).toEqual(["hub", { hub: null, kiosk: false }]);

  const hub = { id: "hub-1", name: "La Terraza", url: "http://192.168.1.10:8766" };
  reopened.setRole("terminal");
  expect(reopened.rememberHub(hub)).toBeNull();
  reopened.changeTerminal({ kiosk: true });
  reopened.setStartAtLogin(false);
  reopened.save({ ...chosen, hubName: "Otra" });
  const again = open({ folder }).store;
  expect([again.role(), again.terminal()]).toEqual(["terminal", { hub, kiosk: true }]);
  expect(again.state()).toMatchObject({ configured: true, settings: { hubName: "Otra" } });
});

it("an invalid role or hub counts as none, and all other settings stay [DESK-76]", () => {
  const { store, folder, file } = open();
  store.save(chosen);
  const saved = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(
    file,
    JSON.stringify({ ...saved, role: "kitchen", terminal: { hub: { url: "file:///etc" }, kiosk: 1 } }),
  );
  const reopened = open({ folder }).store;
  expect([reopened.role(), reopened.terminal()]).toEqual(["hub", { hub: null, kiosk: false }]);
  expect(reopened.state()).toMatchObject({ configured: true, settings: chosen });
});
