import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { dropMissingCertificate } from "./certificate.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): unknown => parse(readFileSync(path.join(root, file), "utf8"));

it("an app for macOS has no file beside its program, which macOS would refuse to sign [UPD-101]", () => {
  const { extraFiles, mac } = read("electron-builder.yml") as { extraFiles?: unknown; mac: { extraFiles?: unknown } };
  expect([extraFiles, mac.extraFiles]).toEqual([undefined, undefined]);
});

it("each system's package is built unsigned if its certificate's secret is not set [UPD-102]", () => {
  const env = { CSC_LINK: "", CSC_KEY_PASSWORD: " ", PATH: "/bin" };
  dropMissingCertificate(env);
  expect(env).toEqual({ PATH: "/bin" });
  const signing = { CSC_LINK: "cert.p12", CSC_KEY_PASSWORD: "secret" };
  dropMissingCertificate(signing);
  expect(signing).toEqual({ CSC_LINK: "cert.p12", CSC_KEY_PASSWORD: "secret" });

  const { jobs } = read(".github/workflows/release.yml") as {
    jobs: { build: { steps: { run?: string; env?: Record<string, string> }[] } };
  };
  const packaging = jobs.build.steps.find(({ run }) => run?.startsWith("npm run package"));
  for (const name of ["CSC_LINK", "CSC_KEY_PASSWORD"]) expect(packaging?.env?.[name]).toContain("matrix.platform");
});
