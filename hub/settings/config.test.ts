import { execFileSync } from "node:child_process";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readHubConfig } from "./config.ts";
import { StartError } from "../platform/errors.ts";

/** Returns the message for bad settings. */
function refusal(env: Record<string, string>): string {
  try {
    readHubConfig(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("readHubConfig", () => {
  it("every setting has a default [HUB-1]", () => {
    expect(readHubConfig({})).toMatchObject({
      host: "0.0.0.0",
      port: 8766,
      name: `Comanda Hub ${hostname()}`.slice(0, 60),
      dbPath: path.resolve("hub.sqlite"),
      backupDir: path.resolve("backups"),
      logLevel: "info",
      mdnsEnabled: true,
      devAuth: false,
      allowedOrigins: [],
      backOffice: { url: "http://127.0.0.1:8069", db: "demo", credentials: { user: "hub", password: "hub" } },
      leaseTtlMs: 60_000,
      heartbeatMs: 20_000,
      graceMs: 10_000,
      forwardIntervalMs: 5_000,
      forwardBatchSize: 20,
      statePollMs: 15_000,
      floorPlanCacheMs: 60_000,
      webhookDispatchMs: 5_000,
      externalRateMax: 120,
      mutationRateMax: 200,
      externalKeyRateMax: 120,
      enabledPlugins: [],
    });
  });

  it.each([
    ["HUB_HTTP_PORT", "65536", "0 to 65535"],
    ["HUB_HTTP_PORT", "80.5", "0 to 65535"],
    ["HUB_HTTP_PORT", "-1", "0 to 65535"],
    ["HUB_HTTP_PORT", "http", "0 to 65535"],
    ["HUB_LEASE_TTL_MS", "199", "200"],
    ["HUB_HEARTBEAT_MS", "1e3", "200"],
    ["HUB_GRACE_MS", "Infinity", "200"],
    ["HUB_FORWARD_INTERVAL_MS", "0", "200"],
    ["HUB_FORWARD_BATCH_SIZE", "0", "1 to 200"],
    ["HUB_FORWARD_BATCH_SIZE", "201", "1 to 200"],
    ["HUB_MUTATION_RATE_MAX", "0", "1 to 100000"],
    ["HUB_EXTERNAL_RATE_MAX", "0", "1 to 100000"],
    ["HUB_EXTERNAL_KEY_RATE_MAX", "100001", "1 to 100000"],
    ["HUB_CHAIN_HISTORY_DAYS", "2", "3 to 3650"],
    ["HUB_LOG_LEVEL", "loud", "debug"],
    ["HUB_MDNS_ENABLED", "maybe", "true or false"],
    ["HUB_DEV_AUTH", "2", "true or false"],
    ["ERP_URL", "localhost:8069", "http"],
    ["ERP_URL", "ftp://x", "http"],
    ["HUB_ALLOWED_ORIGINS", "https://a.example,nonsense", "origins"],
    ["HUB_ALLOWED_ORIGINS", "http://a/x", "origins"],
    ["HUB_ALLOWED_ORIGINS", "https://a.example/?x=1", "origins"],
    ["HUB_ALLOWED_ORIGINS", "file:///srv", "origins"],
    ["HUB_UNCHECKED_CREDIT", "0.001", "two decimals"],
    ["HUB_ALLOWED_HOSTS", "pos.example,http://b.example", "host names"],
    ["HUB_TRUST_PROXY", "nginx", "CIDR"],
    ["HUB_NAME", "é".repeat(61), "at most 60 characters"],
    ["HUB_ENABLED_PLUGINS", "Reservations", "plugin ids"],
  ])("%s=%s is refused [HUB-2, HUB-3]", (name, value, allowed) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    expect(message).toContain(`"${value}"`);
    expect(message).toContain(allowed);
    expect(message).not.toContain("\n");
  });

  it.each(["https://hub:s3cret@odoo.example/", "http://hub@odoo.example", "ftp://hub:s3cret@x"])(
    "the address %s is refused without repeating its password [HUB-141]",
    (address) => {
      const message = refusal({ ERP_URL: address });
      expect(message).toContain("ERP_USER and ERP_PASSWORD");
      expect(message).not.toMatch(/s3cret|hub@|hub:/);
    },
  );

  it("all bad settings are reported at once [HUB-2]", () => {
    const message = refusal({ HUB_HTTP_PORT: "x", HUB_GRACE_MS: "y", HUB_LOG_LEVEL: "z" });
    for (const name of ["HUB_HTTP_PORT", "HUB_GRACE_MS", "HUB_LOG_LEVEL"]) expect(message).toContain(name);
  });

  it("the settings to correct are listed beside the message [HUB-49]", () => {
    const settings = ["HUB_HTTP_PORT", "HUB_GRACE_MS"];
    expect(() => readHubConfig({ HUB_HTTP_PORT: "x", HUB_GRACE_MS: "y", HUB_NAME: "HUB_HOST" })).toThrow(
      expect.objectContaining({ code: "setting", settings }),
    );
  });

  it("both ends of every range are accepted [HUB-3]", () => {
    const names = [
      "HUB_LEASE_TTL_MS",
      "HUB_HEARTBEAT_MS",
      "HUB_GRACE_MS",
      "HUB_FORWARD_INTERVAL_MS",
      "HUB_STATE_POLL_MS",
      "HUB_SESSION_RECHECK_MS",
      "HUB_FLOOR_PLAN_CACHE_MS",
      "HUB_WEBHOOK_DISPATCH_MS",
    ];
    const config = readHubConfig({
      ...Object.fromEntries(names.map((name) => [name, "200"])),
      HUB_MUTATION_RATE_MAX: "1",
      HUB_EXTERNAL_RATE_MAX: "1",
      HUB_EXTERNAL_KEY_RATE_MAX: "100000",
      HUB_FORWARD_BATCH_SIZE: "200",
    });
    expect(config).toMatchObject({
      leaseTtlMs: 200,
      heartbeatMs: 200,
      graceMs: 200,
      forwardIntervalMs: 200,
      statePollMs: 200,
      sessionRecheckMs: 200,
    });
    expect(config).toMatchObject({
      mutationRateMax: 1,
      externalRateMax: 1,
      externalKeyRateMax: 100_000,
      forwardBatchSize: 200,
    });
  });

  it("retention accepts 1 to 3650 days, and no less than the history [KEEP-15]", () => {
    expect(readHubConfig({}).retention).toEqual({ historyDays: 60, retentionDays: 400 });
    const ends = readHubConfig({ HUB_HISTORY_DAYS: "1", HUB_RETENTION_DAYS: "3650" });
    expect(ends.retention).toEqual({ historyDays: 1, retentionDays: 3650 });
    for (const name of ["HUB_HISTORY_DAYS", "HUB_RETENTION_DAYS"]) {
      for (const value of ["0", "3651", "1.5"]) expect(refusal({ [name]: value })).toContain("from 1 to 3650");
    }
    expect(refusal({ HUB_RETENTION_DAYS: "59" })).toBe(
      "HUB_RETENTION_DAYS is 59, but must not be below HUB_HISTORY_DAYS, which is 60.",
    );
    expect(() => readHubConfig({ HUB_RETENTION_DAYS: "59" })).toThrow(
      expect.objectContaining({ code: "setting", settings: ["HUB_RETENTION_DAYS"] }),
    );
  });

  it("an empty user or password means no credentials [HUB-4]", () => {
    expect(readHubConfig({ ERP_USER: "" }).backOffice.credentials).toBeNull();
    expect(readHubConfig({ ERP_PASSWORD: "" }).backOffice.credentials).toBeNull();
    expect(readHubConfig({ ERP_USER: "a", ERP_PASSWORD: "b" }).backOffice.credentials).toEqual({
      user: "a",
      password: "b",
    });
  });

  it("an empty setting takes its default, and lists are split [HUB-1]", () => {
    expect(readHubConfig({ HUB_HTTP_PORT: " ", HUB_ENABLED_PLUGINS: "" })).toMatchObject({
      port: 8766,
      enabledPlugins: [],
    });
    expect(readHubConfig({ HUB_ENABLED_PLUGINS: " reservations , loyalty-2 " }).enabledPlugins).toEqual([
      "reservations",
      "loyalty-2",
    ]);
  });

  it("an empty TZ counts as unset [HUB-150]", () => {
    const read = `import { localTimeZone } from ${JSON.stringify(new URL("../platform/local-time-zone.ts", import.meta.url).href)};
      console.log(localTimeZone());`;
    const zoneWith = (env: Record<string, string>): string =>
      execFileSync(process.execPath, ["--input-type=module", "-e", read], { env, encoding: "utf8" }).trim();
    expect(zoneWith({ TZ: "" })).toBe(zoneWith({}));
    expect(zoneWith({ TZ: "America/Santo_Domingo" })).toBe("America/Santo_Domingo");
  });

  it("the time zone is the PC's unless one is set, and an unknown one is refused [OP-167]", () => {
    expect(readHubConfig({}).timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(readHubConfig({ HUB_TIME_ZONE: "America/Santo_Domingo" }).timeZone).toBe("America/Santo_Domingo");
    expect(refusal({ HUB_TIME_ZONE: "Santo Domingo" })).toContain('HUB_TIME_ZONE is "Santo Domingo", but must be');
  });
});
