import { readFileSync } from "node:fs";
import path from "node:path";
import { settings } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("settings of the identity provider", () => {
  const whole = {
    HQ_OIDC_ISSUER: "https://id.example.com/chain",
    HQ_OIDC_CLIENT_ID: "headquarters",
    HQ_PUBLIC_URL: "https://hq.example.com",
  };

  it("the settings of the identity provider are complete or absent, use TLS, and name the button [HQ-112]", () => {
    expect(readSettings({}).oidc).toBeNull();
    expect(readSettings(whole).oidc).toEqual({
      issuer: "https://id.example.com/chain",
      clientId: "headquarters",
      clientSecret: null,
      name: "id.example.com",
      trustsEmail: false,
      publicUrl: "https://hq.example.com/",
    });
    for (const name of Object.keys(whole)) {
      const { [name as keyof typeof whole]: _without, ...rest } = whole;
      if (name === "HQ_PUBLIC_URL") expect(() => readSettings(rest)).toThrow("HQ_PUBLIC_URL: is needed");
      else expect(() => readSettings(rest)).toThrow(`${name}: is needed to sign in by OpenID Connect`);
    }
    const plain = { ...whole, HQ_OIDC_ISSUER: "http://id.example.com" };
    expect(() => readSettings(plain)).toThrow("HQ_OIDC_ISSUER: has to begin with https:");
    expect(readSettings({ ...whole, HQ_OIDC_ISSUER: "http://localhost:8080/realms/c" }).oidc).not.toBeNull();
  });
});

it("an empty or blank setting of headquarters has its default [HUB-285]", () => {
  expect(readSettings({ HQ_PORT: "", HQ_HOST: " ", HQ_ALERT_URL: "" })).toEqual(readSettings({}));
});

it("an invalid address is reported with the name of its setting [HQ-1]", () => {
  const addresses = ["DATABASE_URL", "NATS_URL", "NATS_PUBLIC_URL", "ALERT_URL", "PUBLIC_URL", "OIDC_ISSUER"];
  for (const name of addresses.map((each) => `HQ_${each}`)) {
    expect(() => readSettings({ [name]: "hq.example.com" })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
  }
});

it("a variable that begins with HQ_ but is no setting causes a warning [HUB-244]", () => {
  expect(readSettings({ HQ_DATADIR: "/tmp", HUB_NAME: "x" }).warnings).toEqual([
    "HQ_DATADIR is no setting and is ignored: is HQ_DATA_DIR meant?",
  ]);
});

it("checks are kept for longer than the time that hubs send at first [HQ-45]", () => {
  const days = String(settings.HUB_CHAIN_HISTORY_DAYS.default);
  expect(() => readSettings({ HQ_CHECK_DAYS: days })).toThrow(/^HQ_CHECK_DAYS: /);
});

it("the deployment takes each setting that it does not set itself from .env [HQ-6]", () => {
  const source = readFileSync(path.join(import.meta.dirname, "settings.ts"), "utf8").matchAll(/^ {2}(HQ_\w+): /gm);
  const deployed = readFileSync(path.join(import.meta.dirname, "deploy/compose.yaml"), "utf8").matchAll(
    /^ {6}(HQ_\w+):/gm,
  );
  const names = (found: Iterable<RegExpMatchArray>) => [...found].map(([, name]) => name ?? "");
  const deployedNames = new Set(names(deployed));
  expect(names(source).filter((name) => !deployedNames.has(name))).toEqual([]);
});
