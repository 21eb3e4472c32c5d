// @module-tag long
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { settingNames } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal } from "../support/connect-terminal.ts";
import { backUpOtherHub } from "../support/data/data-files.ts";
import { freePort } from "../support/free-port.ts";
import { startProgram, startTestHub, readAddress, type TestHub, testTables } from "../support/start-test-hub.ts";
import { operatorOf } from "../support/operator.ts";
import { hubProgram } from "../support/start-hub-program.ts";
import { until } from "../support/until.ts";

interface HubSetting {
  name: string;
  value: string;
}

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs the hub's command line with only these settings. */
function run(args: string[], env: Record<string, string> = {}, cwd = tmpdir()): Promise<Ended> {
  const options = { cwd, env: { PATH: process.env["PATH"] ?? "", ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [hubProgram, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

function settingsOf(hub: TestHub): Record<string, string> {
  return {
    ERP_URL: hub.backOffice.url,
    HUB_HOST: "127.0.0.1",
    HUB_HTTP_PORT: String(hub.port),
    HUB_DB_PATH: hub.dbPath,
    HUB_MDNS_ENABLED: "false",
  };
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("command line", () => {
  it("wrong arguments exit with 2 and the usage [OP-55]", async () => {
    const wrong = [
      "nonsense",
      "keys",
      "keys create Web shop",
      "restore",
      "restore a b",
      "status all",
      "status --no-such",
    ];
    for (const command of [...wrong, "start --json"]) {
      const { code, err } = await run(command.split(" "));
      expect({ words: command, code }).toEqual({ words: command, code: 2 });
      expect(err).toContain("npm run hub --");
      expect(err.includes("There is no command")).toBe(command === "nonsense");
    }
    expect(await run(["help"])).toMatchObject({ code: 0, out: expect.stringContaining("webhooks list") });
  });

  it("on an older Node the command line names the Node that it needs [HUB-213]", async () => {
    const older = `
      import { registerHooks } from "node:module";
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      const resolve = (name, context, next) =>
        name === "node:module" ? { url: "data:text/javascript,export default {}", shortCircuit: true } : next(name, context);
      registerHooks({ resolve });`;
    const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(older)}"`;
    const { code, err } = await run(["version"], { NODE_OPTIONS });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^The hub needs Node 24, and this is Node 20/),
    });
  });

  it("--help lists every setting with what it accepts and its default [HUB-52]", async () => {
    const { out } = await run(["--help"]);
    for (const name of settingNames) expect(out).toContain(`  ${name} `);
    expect(out).toMatch(/HUB_GRACE_MS +a whole number of ms from 200 to 86400000; default: 10000\n/);
    expect(out).toMatch(/HUB_BACKUP_DIR +a folder path; default: backups beside the data file\n/);
  });

  it("a bad setting exits with 1 and one sentence [OP-55]", async () => {
    const { code, err } = await run(["config"], { HUB_HTTP_PORT: "eighty" });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'HUB_HTTP_PORT is "eighty", but must be a whole number from 0 to 65535.\n',
    });
  });

  it("status exits with 75 when no hub answers [OP-55]", async () => {
    const env = { HUB_HOST: "127.0.0.1", HUB_HTTP_PORT: String(await freePort()) };
    expect(await run(["status", "--json"], env)).toMatchObject({ code: 75, out: "" });
  });

  it("version and config show the version and each setting's source, with secrets masked [OP-56]", async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, ".env"), "HUB_NAME=Casa\nERP_PASSWORD=from-the-file\n");
    expect(JSON.parse((await run(["version", "--json"])).out)).toMatchObject({ protocolVersion: 1 });
    const { out } = await run(["config", "--json"], { HUB_GRACE_MS: "7000" }, folder);
    expect(JSON.parse(out).settings).toEqual(
      expect.arrayContaining([
        { name: "HUB_NAME", value: "Casa", source: ".env" },
        { name: "HUB_GRACE_MS", value: "7000", source: "environment" },
        { name: "HUB_LEASE_TTL_MS", value: "60000", source: "default" },
        { name: "ERP_PASSWORD", value: "********", source: ".env" },
      ]),
    );
    expect(out).not.toContain("from-the-file");
  });

  it("an unreadable .env file is reported in one sentence [HUB-160, HUB-14]", async () => {
    const folder = newFolder();
    symlinkSync(".env", path.join(folder, ".env"));
    for (const args of [[], ["config"]]) {
      const { code, err } = await run(args, {}, folder);
      expect([code, err]).toEqual([1, expect.stringMatching(/^The settings file \.env cannot be read: ELOOP.*\.\n$/)]);
    }
  });

  it("a variable that begins like a setting but is none causes a warning [HUB-244]", async () => {
    const env = { HUB_HOST: "127.0.0.1", HUB_HTTP_PORT: "0", HUB_MDNS_ENABLED: "false", HUB_PORT: "80" };
    const child = startProgram("dist/hub/main.js", env, newFolder());
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    await readAddress(child);
    expect(out).toContain('"msg":"HUB_PORT is no setting and is ignored: is HUB_HTTP_PORT meant?"');
  });

  it("the time zone of a .env file written by Windows counts, unless the environment has one [HUB-157]", async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, ".env"), "\uFEFFTZ=America/Santo_Domingo\r\n", "utf16le");
    const zoneWith = async (env: Record<string, string>) => {
      const { settings } = JSON.parse((await run(["config", "--json"], env, folder)).out) as { settings: HubSetting[] };
      return settings.find(({ name }) => name === "HUB_TIME_ZONE")?.value;
    };
    expect(await zoneWith({})).toBe("America/Santo_Domingo");
    expect(await zoneWith({ TZ: "Asia/Tokyo" })).toBe("Asia/Tokyo");
  });

  it("config and doctor use the running hub's settings, whatever the own environment has [OP-526]", async () => {
    const { folder, env, url } = await startWithFile("HUB_GRACE_MS=7000\nERP_PASSWORD=hub\n");
    const elsewhere = newFolder();
    const own = { HUB_DB_PATH: env.HUB_DB_PATH, HUB_HTTP_PORT: "1", HUB_GRACE_MS: "9000" };
    const shown = JSON.parse((await run(["config", "--json"], own, elsewhere)).out);
    expect(shown).toMatchObject({
      of: "running",
      hub: { address: url, host: "headless", dataFile: env.HUB_DB_PATH },
      differing: expect.arrayContaining(["HUB_GRACE_MS", "HUB_HTTP_PORT", "ERP_URL"]),
    });
    expect(shown.settings).toEqual(
      expect.arrayContaining([
        { name: "HUB_GRACE_MS", value: "7000", source: ".env" },
        { name: "ERP_URL", value: env.ERP_URL, source: "environment" },
        { name: "ERP_PASSWORD", value: "********", source: ".env" },
      ]),
    );
    const text = (await run(["config"], own, elsewhere)).out;
    expect(text).toMatch(
      /^These are the settings of the hub that runs at http:\/\/127\.0\.0\.1:\d+ with .*hub\.sqlite, since 20/,
    );
    expect(text).toContain("would use others: ");
    expect(text).toContain("HUB_GRACE_MS=9000");

    const note = readFileSync(`${env.HUB_DB_PATH}.running.json`, "utf8");
    expect(JSON.parse(note).settings).toContainEqual({ name: "ERP_PASSWORD", value: null, set: true, source: "file" });
    const report = JSON.parse((await run(["doctor", "--json"], own, elsewhere)).out);
    expect(report).toMatchObject({ of: "running", hub: { address: url } });
    expect(report.findings).toContainEqual({
      check: "port",
      ok: true,
      detail: `a hub is running on ${new URL(url).port}`,
    });
    // A changed setting takes effect only after a restart.
    writeFileSync(path.join(folder, ".env"), "HUB_GRACE_MS=8000\n");
    const { settings, differing } = JSON.parse((await run(["config", "--json"], env, folder)).out);
    expect(settings).toContainEqual({ name: "HUB_GRACE_MS", value: "7000", source: ".env" });
    expect(differing).toEqual(["HUB_GRACE_MS"]);
  });

  it("config says that no hub runs, after one that stopped [OP-526]", async () => {
    const hub = await startTestHub();
    const env = settingsOf(hub);
    expect((await run(["doctor"], env)).out).toContain("These are the settings of the hub that runs at");
    await hub.hub.stop();
    const shown = await run(["config"], env);
    expect(shown.out).toMatch(/^No hub runs here: these are the settings that a start would use now\.\n/);
    expect(existsSync(`${hub.dbPath}.running.json`)).toBe(false);
    await hub.restart();
  });

  it("config finds the desktop app's hub, and requests another hub's settings [OP-527]", async () => {
    const home = newFolder();
    const desktop = path.join(home, "Comanda Hub");
    mkdirSync(desktop);
    const hub = await startTestHub({ env: { HUB_GRACE_MS: "7000" } });
    const folder = newFolder();
    const own = { ...settingsOf(hub), HUB_DB_PATH: path.join(folder, "hub.sqlite"), XDG_CONFIG_HOME: home };
    const inEffect = { name: "HUB_GRACE_MS", value: "7000", source: "environment" };
    const config = JSON.parse((await run(["config", "--json"], own, folder)).out);
    expect(config).toMatchObject({ of: "running", hub: { address: hub.url } });
    expect(config.settings).toContainEqual(inEffect);
    const refused = await run(["config", "--login", "waiter", "--password", "waiter"], own, folder);
    expect(refused.out).toMatch(/^A hub with another data file runs at .* shows its settings to a manager/);
    expect(refused.out).toContain("These are the settings that a start here would use now.");
    expect((await run(["doctor"], own, folder)).out).toContain("A hub with another data file runs at");

    const note = readFileSync(`${hub.dbPath}.running.json`, "utf8");
    writeFileSync(path.join(desktop, "hub.sqlite.running.json"), note.replace('"headless"', '"desktop"'));
    const found = JSON.parse(
      (await run(["config", "--json", "--login", "waiter", "--password", "no"], own, folder)).out,
    );
    expect(found).toMatchObject({ of: "running", hub: { host: "desktop", dataFile: hub.dbPath } });
    expect(found.settings).toContainEqual(inEffect);
  });

  it("doctor checks the running hub's back-office when only the hub has the password [OP-528]", async () => {
    const hub = await startTestHub();
    const backOffice = async (env: Record<string, string>) =>
      JSON.parse((await run(["doctor", "--json"], env)).out).findings.find(
        ({ check }: { check: string }) => check === "back-office",
      );
    await until("the first answer", async () => (await hub.send("GET", "/health")).body.lastErpSync !== null);
    expect(await backOffice(settingsOf(hub))).toMatchObject({ detail: expect.stringMatching(/^signed in at/) });
    const withoutPassword = { HUB_DB_PATH: hub.dbPath, ERP_PASSWORD: "" };
    expect(await backOffice(withoutPassword)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(`^the running hub reaches ${hub.backOffice.url}`),
    });
    const refused = await startTestHub({ env: { ERP_PASSWORD: "wrong" } });
    await until("the refusal", async () => (await refused.send("GET", "/health")).body.reasons.length > 0);
    expect(await backOffice({ HUB_DB_PATH: refused.dbPath, ERP_PASSWORD: "" })).toMatchObject({
      ok: false,
      detail: expect.stringContaining("refuses the running hub's account"),
    });
  });

  it("status, keys and webhooks of a running hub are listed and changed [OP-57]", async () => {
    const hub = await startTestHub();
    const env = settingsOf(hub);
    expect(JSON.parse((await run(["status", "--json"], env)).out)).toMatchObject({ connectedTerminals: 0 });
    const created = await run(["keys", "create", "Kiosk", "--scopes", "read,orders:write", "--json"], env);
    const { keyId, token } = JSON.parse(created.out);
    expect((await hub.external(token).get("/orders")).status).toBe(200);
    expect(JSON.parse((await run(["keys", "list", "--json"], env)).out).keys).toMatchObject([
      { keyId, label: "Kiosk" },
    ]);
    expect(await run(["keys", "disable", keyId], env)).toMatchObject({ code: 0 });
    expect((await hub.external(token).get("/orders")).status).toBe(401);
    expect(await run(["keys", "create", "Kiosk", "--scopes", "everything"], env)).toMatchObject({ code: 2 });
    const elsewhere = await run(["keys", "list", "--url", `http://127.0.0.1:${hub.port}`], env);
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining("--login NAME --password") });
    expect(await run(["webhooks", "list"], env)).toMatchObject({ code: 0, out: "There are no webhooks.\n" });
    expect(await run(["webhooks", "test", "none"], env)).toMatchObject({ code: 1 });
    expect(await run(["keys", "list", "--login", "waiter", "--password", "waiter"], env)).toMatchObject({ code: 1 });
  });

  it("keys create makes a key for a purpose, and prints a first order that a shell can send [OP-187]", async () => {
    const hub = await startTestHub();
    const env = settingsOf(hub);
    const scopesOf = async (keyId: string) =>
      JSON.parse((await run(["keys", "list", "--json"], env)).out).keys.find(
        (key: { keyId: string }) => key.keyId === keyId,
      ).scopes;
    const sentByShell = async (printed: string) =>
      new Promise<string>((resolve) => {
        const command = printed.slice(printed.indexOf("curl "));
        execFile("bash", ["-c", command], { env: { PATH: process.env["PATH"] } }, (_, stdout) => resolve(stdout));
      });
    const { out } = await run(["keys", "create", "Webshop"], env);
    const keyId = /Key (\w+) created/.exec(out)?.[1] ?? "";
    expect(await scopesOf(keyId)).toEqual(["read", "orders:write"]);
    expect(out).toMatch(/Tostones con salsa de ajo on table "Mesa 1" \(a real check/);
    expect(JSON.parse(await sentByShell(out))).toMatchObject({
      version: 1,
      posReference: expect.stringContaining(`EXT/${keyId}/first-`),
    });

    const created = JSON.parse(
      (await run(["keys", "create", "Reservas", "--for", "bookings,webhooks", "--json"], env)).out,
    );
    expect(await scopesOf(created.keyId)).toEqual(["read", "webhooks:manage", "plugins:write"]);
    expect(created).not.toHaveProperty("firstOrder");
    const reader = (await run(["keys", "create", "Board", "--for", "floor"], env)).out;
    expect(JSON.parse(await sentByShell(reader))).toMatchObject({ active: true });
    expect(await run(["keys", "create", "Kiosk", "--for", "everything"], env)).toMatchObject({
      code: 2,
      err: "--for takes orders, floor, webhooks, bookings.\n",
    });
  });

  it("backup works with and without a running hub, and restore only without one [OP-58]", async () => {
    const hub = await startTestHub();
    const env = settingsOf(hub);
    const terminal = await hub.terminal();
    const order = { type: "ORDER_UPSERT", baseVersion: 0, snapshot: { orderType: "takeout", lines: [] } };
    await terminal.change({ ...order, posReference: "A" });
    const { name } = JSON.parse((await run(["backup", "--json"], env)).out);
    await terminal.change({ ...order, posReference: "B" });
    expect(await run(["restore", name], env)).toMatchObject({ code: 75 });
    await hub.hub.stop();
    expect(await run(["backup"], env)).toMatchObject({ code: 0 });
    expect(await run(["restore", "no-such-file"], env)).toMatchObject({ code: 1 });
    const { keptAside } = JSON.parse((await run(["restore", name, "--json"], env)).out);
    expect(existsSync(keptAside)).toBe(true);
    await hub.restart();
    expect((await operatorOf(hub)("orders")).body.total).toBe(1);
  });

  it("a backup made on a PC whose clock says 1970 is the newest one all the same [OP-604]", async () => {
    const hub = await startTestHub();
    const env = settingsOf(hub);
    await hub.hub.stop();
    const today = () => `hub-manual-${new Date().toISOString().slice(0, 10)}`;
    const stopped = today();
    const clock = { NODE_OPTIONS: "--import=data:text/javascript,Date.now=()=>1000" };
    const { name } = JSON.parse((await run(["backup", "--json"], { ...env, ...clock })).out);
    // Midnight may have passed meanwhile.
    expect([stopped, today()].filter((day) => name.includes(day))).not.toEqual([]);
  });

  it("restore uses the newest good backup of any folder, or a file, on a new PC [REST-50]", async () => {
    const hub = await startTestHub();
    const order = { type: "ORDER_UPSERT", baseVersion: 0, snapshot: { orderType: "takeout", lines: [] } };
    const terminal = await hub.terminal();
    const dir = path.join(path.dirname(hub.dbPath), "backups");
    const names: string[] = [];
    for (const posReference of ["A", "B", "C"]) {
      await terminal.change({ ...order, posReference });
      names.push(JSON.parse((await run(["backup", "--json"], settingsOf(hub))).out).name);
    }
    await hub.hub.stop();
    const usb = newFolder();
    for (const name of names) copyFileSync(path.join(dir, name), path.join(usb, name));
    const damaged = path.join(usb, names[2] ?? "");
    truncateSync(damaged, 20_000);

    const newPc = { ...settingsOf(hub), HUB_DB_PATH: path.join(newFolder(), "hub.sqlite"), HUB_HTTP_PORT: "0" };
    const found = await run(["restore", usb, "--json"], newPc);
    expect(found.code).toBe(0);
    expect(JSON.parse(found.out)).toMatchObject({
      restored: path.join(usb, names[1] ?? ""),
      otherHub: false,
      content: { orders: 2, activeOrders: 2, restaurant: expect.stringMatching(/\w/) },
    });
    const file = await run(["restore", path.join(usb, names[0] ?? "")], newPc);
    expect(file.out).toContain("orders: 1, open: 1");
    expect(await run(["restore", damaged], newPc)).toMatchObject({ code: 1, err: expect.stringContaining(damaged) });
    expect((await run(["restore", newFolder()], newPc)).err).toContain("There is no backup in");
    // The searched folder has not changed.
    expect(readdirSync(usb).sort()).toEqual(names.toSorted());
    await hub.restart();
  });

  it("restore needs a file name if a folder has backups of several hubs, and reports another hub's [REST-51]", async () => {
    const [one, other] = [await startTestHub(), await startTestHub()];
    const shared = newFolder();
    for (const hub of [one, other]) {
      const { name } = JSON.parse((await run(["backup", "--json"], settingsOf(hub))).out);
      copyFileSync(path.join(path.dirname(hub.dbPath), "backups", name), path.join(shared, name));
    }
    await one.hub.stop();
    const before = readFileSync(one.dbPath);
    const refused = await run(["restore", shared], settingsOf(one));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("backups of 2 hubs; name the file") });
    expect(readFileSync(one.dbPath).equals(before)).toBe(true);
    const files = readdirSync(shared).map((name) => path.join(shared, name));
    const results = [];
    for (const file of files) {
      results.push(JSON.parse((await run(["restore", file, "--json"], settingsOf(one))).out).otherHub as boolean);
      // Restores the hub's own file before the next comparison.
      writeFileSync(one.dbPath, before);
    }
    expect(new Set(results)).toEqual(new Set([false, true]));
    await one.restart();
  });

  it("restore refuses a data file that was not closed, because its newest changes are in its log [REST-52]", async () => {
    const hub = await startTestHub();
    await hub.terminal();
    const copy = path.join(newFolder(), "hub.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(hub.dbPath + suffix, copy + suffix);
    const newPc = { ...settingsOf(hub), HUB_DB_PATH: path.join(newFolder(), "hub.sqlite"), HUB_HTTP_PORT: "0" };
    const refused = await run(["restore", copy], newPc);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("was not closed") });
    expect(existsSync(newPc.HUB_DB_PATH)).toBe(false);
  });

  it("status and doctor report the last good backup and the second folder [OP-177]", async () => {
    const second = newFolder();
    const hub = await startTestHub({ env: { HUB_BACKUP_SECOND_DIR: second } });
    const env = { ...settingsOf(hub), HUB_BACKUP_SECOND_DIR: second };
    // Another hub's backup does not count as a copy of this data file.
    await backUpOtherHub(second);
    expect((await run(["doctor"], env)).out).toContain("free; no copy yet");
    await run(["backup"], env);
    await until("the copy", async () => (await run(["status"], env)).out.includes("it has its copies"));
    expect((await run(["status"], env)).out).toMatch(/Last good backup: 20\d\d-/);
    expect((await run(["doctor"], env)).out).toMatch(
      /ok {4}second backup folder: .+ can be written, [\d.]+ [GM]B free; the newest copy/,
    );
    rmSync(second, { recursive: true });
    expect((await run(["doctor"], env)).out).toContain(`FAIL  second backup folder: ${second}: there is no folder`);
    await hub.restart();
    await until("the failure", async () =>
      /Second backup folder: no copies since 20/.test((await run(["status"], env)).out),
    );
  });

  it("restore --empty starts with an empty file and keeps the old one [OP-58]", async () => {
    const hub = await startTestHub();
    await (
      await hub.terminal()
    ).change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 0,
      snapshot: { orderType: "takeout", lines: [] },
    });
    await hub.hub.stop();
    const { keptAside } = JSON.parse((await run(["restore", "--empty", "--json"], settingsOf(hub))).out);
    expect(existsSync(keptAside)).toBe(true);
    await hub.restart();
    expect((await operatorOf(hub)("orders")).body.total).toBe(0);
  });

  it("doctor checks what a hub needs and reports what fails [OP-59, OP-180]", async () => {
    const hub = await startTestHub();
    const env = {
      ...settingsOf(hub),
      HUB_HTTP_PORT: String(await freePort()),
      HUB_DB_PATH: `${newFolder()}/new.sqlite`,
    };
    const well = JSON.parse((await run(["doctor", "--json"], env)).out);
    const of = (report: typeof well, check: string) =>
      report.findings.find((finding: { check: string }) => finding.check === check);
    expect(of(well, "back-office")).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`${18 + testTables} tables`),
    });
    expect(of(well, "port")).toMatchObject({ ok: true });
    expect(of(well, "network")).toEqual({
      check: "network",
      ok: false,
      detail: expect.stringMatching(
        /^the hub listens on 127\.0\.0\.1 only \(HUB_HOST\), .* set HUB_HOST to 0\.0\.0\.0$/,
      ),
    });
    const ill = await run(["doctor", "--json"], { ...env, ERP_PASSWORD: "wrong" });
    expect(ill.code).toBe(1);
    expect(of(JSON.parse(ill.out), "back-office")).toMatchObject({ ok: false });
  });
});

describe("a settings file", () => {
  it("changing a setting writes it to the file and keeps the file's other lines [OP-28]", async () => {
    const { call, folder } = await startWithFile("# the till room\nHUB_NAME=Casa\nOTHER=1\n");
    const of = async (name: string) =>
      (await call("GET", "/settings")).settings.find((setting: { name: string }) => setting.name === name);
    expect(await of("HUB_NAME")).toMatchObject({ value: "Casa", source: "file", changeable: true });
    expect(await of("HUB_HTTP_PORT")).toMatchObject({ source: "environment", changeable: false });
    const changed = await call("PATCH", "/settings", { values: { HUB_NAME: 'La "Casa"', HUB_GRACE_MS: "9000" } });
    expect(changed.restartNeeded).toBe(true);
    expect(readFileSync(path.join(folder, ".env"), "utf8")).toBe(
      "# the till room\nOTHER=1\nHUB_NAME='La \"Casa\"'\nHUB_GRACE_MS=9000\n",
    );
    expect(await of("HUB_NAME")).toMatchObject({ value: 'La "Casa"' });
    const refused = await call("PATCH", "/settings", { values: { HUB_GRACE_MS: "soon", HUB_NAME: "No" } });
    expect(refused).toMatchObject({ errorCode: "VALIDATION_ERROR", error: expect.stringContaining("HUB_GRACE_MS") });
    await call("PATCH", "/settings", { values: { HUB_NAME: null } });
    expect(await of("HUB_NAME")).toMatchObject({ source: "default" });
  });

  it("changed stations apply at once, and terminals read the menu again [KIT-71]", async () => {
    const { call, url, token } = await startWithFile("");
    const cook = await connectTerminal(`${url.replace("http", "ws")}/`, { type: "AUTH", token, deviceId: "cook" });
    const dish = { id: "a", productId: 101, quantity: 1, unitPrice: 10 };
    const sentTo = async (posReference: string): Promise<string | null | undefined> => {
      const snapshot = terminalSnapshot({ lines: [dish] });
      await cook.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      const { kitchenTicketId } = await cook.change({ type: "ORDER_SEND", posReference });
      const { ticket } = await cook.next("TICKET_CHANGED", (message) => message.ticket.id === kitchenTicketId);
      return ticket.stationId;
    };
    const change = (stations: unknown) => call("PATCH", "/settings", { values: { HUB_STATIONS: stations } });
    const menuOf = async () => {
      const answer = await fetch(`${url}/terminal/v1/menu`, { headers: { Authorization: `Bearer ${token}` } });
      return (await answer.json()) as { menuVersion: string; stations: unknown[] };
    };
    const before = await menuOf();
    expect(before.stations).toEqual([]);
    expect(await sentTo("A")).toBe("kitchen");

    const stations = [{ id: 1, name: "Bar" }];
    const saved = await change(JSON.stringify(stations));
    expect(saved.restartNeeded).toBe(false);
    expect(saved.settings.find(({ name }: { name: string }) => name === "HUB_STATIONS")).toMatchObject({
      value: JSON.stringify(stations),
      needsRestart: false,
    });
    const menu = await menuOf();
    expect(menu.stations).toMatchObject([{ id: "1", name: "Bar" }]);
    expect(menu.menuVersion).not.toBe(before.menuVersion);
    await cook.next("MENU_CHANGED", ({ menuVersion }) => menuVersion === menu.menuVersion);
    expect(await sentTo("B")).toBe("1");
    cook.send({ type: "RESYNC" });
    const { tickets } = await cook.next("SYNC", ({ mode }) => mode === "full");
    expect(tickets?.map(({ posReference, stationId }) => [posReference, stationId])).toEqual([
      ["A", "kitchen"],
      ["B", "1"],
    ]);

    const refused = await change(JSON.stringify([...stations, ...stations]));
    expect(refused).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    expect(await sentTo("C")).toBe("1");
    await change(null);
    expect((await menuOf()).menuVersion).toBe(before.menuVersion);
    await cook.next("MENU_CHANGED", ({ menuVersion }) => menuVersion === before.menuVersion);
    expect(await sentTo("D")).toBe("kitchen");
  });

  it("restoring a backup restarts the hub at once on the same port [OP-29]", async () => {
    const { call } = await startWithFile("");
    const { backup } = await call("POST", "/backups");
    const { epoch } = await call("GET", "/data-file");
    const restoring = await call("POST", `/backups/${backup.name}/restore`, { confirm: backup.name });
    expect(restoring).toMatchObject({ restoring: true });
    await until(
      "the other history",
      async () => {
        const file = await call("GET", "/data-file").catch(() => null);
        return file !== null && file.epoch !== undefined && file.epoch !== epoch;
      },
      20_000,
    );
    expect((await call("GET", "/audit")).entries[0]).toMatchObject({ action: "backup.restored", target: backup.name });
  });
});

/** Starts the hub program in a folder with an `.env` file. */
async function startWithFile(content: string) {
  const { backOffice, signIn } = await startTestHub();
  const folder = newFolder();
  writeFileSync(path.join(folder, ".env"), content);
  const env = {
    ERP_URL: backOffice.url,
    HUB_HOST: "127.0.0.1",
    HUB_HTTP_PORT: "0",
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
    HUB_MDNS_ENABLED: "false",
  };
  const child = startProgram("dist/hub/main.js", env, folder);
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = await readAddress(child);
  const token = await signIn("manager");
  const call = async (method: string, target: string, body?: unknown) => {
    const response = await fetch(`${url}/operator/v1${target}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  };
  return { call, folder, env, url, token };
}
