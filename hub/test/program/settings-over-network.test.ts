import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { startHubProgram } from "../support/start-hub-program.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Starts a hub with its password in an `.env` file, and returns a manager's calls to change settings. */
async function startWithFile(environment: Readonly<Record<string, string>> = {}) {
  const { backOffice, signIn } = await startTestHub();
  const folder = mkdtempSync(path.join(tmpdir(), "hub-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, ".env");
  writeFileSync(file, `ERP_URL=${backOffice.url}\nERP_DB=demo\nERP_USER=hub\nERP_PASSWORD=hub\n`);
  const env = { HUB_DB_PATH: path.join(folder, "hub.sqlite"), HUB_HTTP_PORT: "0", ...environment };
  const program = await startHubProgram(env, { cwd: folder });
  const token = await signIn("manager");
  const call = async (method: string, target: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${program.url}/operator/v1/${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    backOffice,
    program,
    call,
    change: (values: Record<string, string | null>) => call("PATCH", "settings", { values }),
    saved: () => readFileSync(file, "utf8"),
    /** Restores a backup to restart the hub with the saved settings. */
    async restartThroughRestore() {
      const startedAt = async () => (await call("GET", "version").catch(() => null))?.body["startedAt"];
      const before = await startedAt();
      const { backup } = (await call("POST", "backups")).body as { backup: { name: string } };
      await call("POST", `backups/${backup.name}/restore`, { confirm: backup.name });
      await until("the hub restarts", () => program.lines.some((line) => line.includes("the hub restarts")));
      await until("the hub answers again", async () => ![undefined, before].includes(await startedAt()));
    },
  };
}

/** Starts an attacker's back-office that records every body it receives. */
async function startAttacker() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(401, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

it("a back-office address with user and password is refused, and nothing is saved [HUB-141]", async () => {
  const hub = await startWithFile();
  const before = hub.saved();
  const values = { ERP_URL: hub.backOffice.url.replace("//", "//hub:s3cret@"), ERP_PASSWORD: "hub" };
  const refused = await hub.change(values);
  expect(refused).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  expect(refused.body.error).toMatch(/ERP_URL: must be without user and password, which are ERP_USER and ERP_PASSWORD/);
  expect(JSON.stringify(refused.body)).not.toContain("s3cret");
  const disguised = { ERP_URL: `http://${new URL(hub.backOffice.url).host}@evil.example` };
  expect(await hub.change(disguised)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  expect(hub.saved()).toEqual(before);
});

it("another back-office, database or user needs the password, and the saved one is never sent there [OP-80]", async () => {
  const hub = await startWithFile();
  const attacker = await startAttacker();
  const before = hub.saved();
  for (const values of [
    { ERP_URL: attacker.url },
    { ERP_URL: attacker.url, HUB_NAME: "Casa" },
    { ERP_URL: `${hub.backOffice.url}/elsewhere` },
    { ERP_URL: null },
    { ERP_DB: "other" },
    { ERP_USER: "manager" },
    { ERP_USER: "" },
  ]) {
    const refused = await hub.change(values);
    expect(refused, JSON.stringify(values)).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR", error: expect.stringContaining("values.ERP_PASSWORD") },
    });
  }
  expect(hub.saved()).toBe(before);

  // The same address in another spelling is not a change of account.
  expect(await hub.change({ ERP_URL: `${hub.backOffice.url}/` })).toMatchObject({ status: 200 });

  expect(await hub.change({ ERP_URL: attacker.url, ERP_PASSWORD: "typed anew" })).toMatchObject({ status: 200 });
  await hub.restartThroughRestore();
  await until("the hub signs in there", () => attacker.bodies.some((body) => body.includes("typed anew")));
  expect(attacker.bodies.join("\n")).not.toContain('"password":"hub"');
});

it("another address is refused while the environment sets the password [OP-80]", async () => {
  const hub = await startWithFile({ ERP_PASSWORD: "hub" });
  expect(await hub.change({ ERP_URL: "http://evil.example", ERP_PASSWORD: "typed anew" })).toMatchObject({
    status: 400,
    body: { error: "values.ERP_PASSWORD: cannot be changed here, the environment sets it" },
  });
  expect(hub.saved()).not.toContain("evil.example");
});

it("local-only settings are refused over the network, and stay unchanged after a restore [OP-81]", async () => {
  const hub = await startWithFile();
  const before = hub.saved();
  for (const [name, value] of [
    ["HUB_DEV_AUTH", "true"],
    ["HUB_DEV_AUTH", null],
    ["HUB_ALLOWED_ORIGINS", "https://evil.example"],
    ["HUB_ALLOWED_HOSTS", "evil.example"],
    ["HUB_TRUST_PROXY", "10.0.0.1"],
    ["HUB_BACKUP_DIR", "/elsewhere"],
    ["HUB_BACKUP_SECOND_DIR", "/elsewhere"],
  ] as const) {
    expect(await hub.change({ [name]: value, HUB_GRACE_MS: "9000" }), name).toMatchObject({
      status: 400,
      body: {
        errorCode: "VALIDATION_ERROR",
        error: `values.${name}: cannot be changed over the network, only on the hub's own computer`,
      },
    });
  }
  expect(hub.saved()).toBe(before);
  const { settings } = (await hub.call("GET", "settings")).body as { settings: { name: string; localOnly: boolean }[] };
  expect(
    settings
      .filter(({ localOnly }) => localOnly)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    "HUB_ALLOWED_HOSTS",
    "HUB_ALLOWED_ORIGINS",
    "HUB_BACKUP_DIR",
    "HUB_BACKUP_SECOND_DIR",
    "HUB_DB_PATH",
    "HUB_DEV_AUTH",
    "HUB_HOST",
    "HUB_TRUST_PROXY",
  ]);

  await hub.restartThroughRestore();
  await expect(hub.program.terminal("", "POS-1")).rejects.toThrow();
  expect((await hub.program.health()).reasons ?? []).not.toContain("dev_auth");
});

it("a setting is read back unchanged, or refused [OP-82]", async () => {
  const hub = await startWithFile();
  const value = async (name: string) =>
    ((await hub.call("GET", "settings")).body as { settings: { name: string; value: string }[] }).settings.find(
      (setting) => setting.name === name,
    )?.value;
  for (const name of ["La Terraza", "C:\\nueva #1", 'La "Casa"', "Ana's", `"Ana's"`, " `x` "]) {
    expect(await hub.change({ HUB_NAME: name }), name).toMatchObject({ status: 200 });
    expect(await value("HUB_NAME")).toBe(name);
  }
  const before = hub.saved();
  for (const name of ["a\nHUB_DEV_AUTH=true", "a\rb", "a\0b", `"Ana's" \`x\``, "Ana's C:\\nueva"]) {
    expect(await hub.change({ HUB_NAME: name }), name).toMatchObject({ status: 400 });
  }
  expect(hub.saved()).toBe(before);
});
