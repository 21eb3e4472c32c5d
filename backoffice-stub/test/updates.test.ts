import { describe, expect, it } from "vitest";
import { startTestBackOffice } from "./start-test-back-office.ts";

const release = {
  version: "1.10.0",
  notes: "Faster tables",
  pub_date: "2026-03-01T10:00:00Z",
  url: "https://downloads.example/app",
};

describe("update checks", () => {
  it("an update check needs no session, and returns 204 unless a newer release exists [BO-65]", async () => {
    const office = await startTestBackOffice();
    const check = (version: string) => office.call("GET", `/pos-api/v1/updates/check/android/aarch64/${version}`);
    expect(await check("1.0.0")).toMatchObject({ status: 204, body: "" });
    expect(await office.stub("POST", "/releases", { target: "android", release })).toEqual({
      target: "android",
      release,
    });
    expect(await check("1.9.9")).toMatchObject({ status: 200, body: release });
    expect((await check("1.10.0")).status).toBe(204);
    expect((await check("1.10.0+build.7")).status).toBe(204);
    expect((await check("2.0.0")).status).toBe(204);
    expect((await check("1.10.0-rc.1")).status).toBe(200);
    await office.restart();
    expect((await check("1.9.9")).status).toBe(200);
    await office.stub("POST", "/releases", { target: "android", release: null });
    expect((await check("1.9.9")).status).toBe(204);
  });

  it("an update check sends the signature to desktop clients, for all architectures of the target [BO-66]", async () => {
    const office = await startTestBackOffice();
    const signed = { ...release, signature: "c2lnbmF0dXJl" };
    await office.stub("POST", "/releases", { target: "windows", release: signed });
    for (const arch of ["x86_64", "aarch64"]) {
      const answer = await office.call("GET", `/pos-api/v1/updates/check/windows/${arch}/1.0.0`);
      expect(answer).toMatchObject({ status: 200, body: signed });
    }
    expect((await office.call("GET", "/pos-api/v1/updates/check/linux/x86_64/1.0.0")).status).toBe(204);
    await office.stub("POST", "/releases", { target: "android", release: signed });
    expect((await office.call("GET", "/pos-api/v1/updates/check/android/aarch64/1.0.0")).body).toEqual(release);
  });

  it("an update check refuses an invalid version and an unknown target [BO-67]", async () => {
    const office = await startTestBackOffice();
    for (const version of ["newest", "1.0", "%ZZ"]) {
      expect(await office.call("GET", `/pos-api/v1/updates/check/android/aarch64/${version}`)).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
    expect(await office.call("GET", "/pos-api/v1/updates/check/web/x86_64/1.0.0")).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
  });
});
