import type { BackOfficeUpdate } from "@comanda/protocol";
import { expect, it, vi } from "vitest";
import { checkAndroidUpdate } from "./check-android.ts";

const apk = { version: "1.4.0", notes: "New", pub_date: "2026-11-20T10:00:00Z", url: "https://files.example/b" };
const check = (answer: BackOfficeUpdate | null) => checkAndroidUpdate("1.3.0", () => Promise.resolve(answer));

it("an Android update is offered only if it is newer and at a secure address [UPD-62]", async () => {
  const { pub_date: publishedAt, ...rest } = apk;
  expect(await check(apk)).toEqual({ kind: "available", offer: { ...rest, publishedAt, signature: "" } });
  expect(await check(null)).toEqual({ kind: "up-to-date" });
  expect(await check({ ...apk, version: "1.3.0" })).toEqual({ kind: "up-to-date" });
  expect(await check({ ...apk, url: "intent://x" })).toMatchObject({ kind: "failed" });
  expect(await check({ ...apk, url: "http://files.example/b" })).toMatchObject({ kind: "failed" });
  const failed = checkAndroidUpdate("1.3.0", () => Promise.reject(new Error("The hub answered 503: no line")));
  expect(await failed).toEqual({ kind: "failed", problem: "The hub answered 503: no line" });
});

it("an Android update is offered in a WebView without URL.parse and URL.canParse [UPD-62]", async () => {
  const missing = () => {
    throw new TypeError("is not a function");
  };
  using _parse = vi.spyOn(URL, "parse").mockImplementation(missing);
  using _canParse = vi.spyOn(URL, "canParse").mockImplementation(missing);
  expect(await check(apk)).toMatchObject({ kind: "available" });
  expect(await check({ ...apk, url: "files.example/b" })).toEqual({
    kind: "failed",
    problem: "The offered download address is not secure.",
  });
});
