import { describe, expect, it } from "vitest";
import { addressValidityMs } from "./address-validity.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const token = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.s`;

const table: [string, string, number][] = [
  ["S3", "?X-Amz-Date=20261121T115900Z&X-Amz-Expires=600&X-Amz-Signature=a", 540_000],
  ["Google", "?X-Goog-Date=20261121T120000Z&X-Goog-Expires=900", 900_000],
  ["Azure", "?sp=r&se=2026-11-21T12:10:00Z&sig=a", 600_000],
  ["CloudFront", `?Expires=${now / 1000 + 120}`, 120_000],
  ["a signed token", `?jwt=${token(now / 1000 + 300)}`, 300_000],
  ["the earliest of two", `?se=2026-11-21T13:00:00Z&jwt=${token(now / 1000 + 300)}`, 300_000],
  ["one that is over", "?se=2026-11-21T11:59:00Z", 0],
  ["one whose end is no time", "?expires=600&sig=a", 600_000],
  ["one that was over long before it was given", "?X-Amz-Date=20240101T000000Z&X-Amz-Expires=600", 600_000],
  ["one that says nothing", "?token=abc", 600_000],
  ["one that says nonsense", "?se=soon&Expires=-1&jwt=x.y.z", 600_000],
];

describe("validity of addresses", () => {
  it.each(table)("the validity of a download address is read from its query: %s [UPD-16]", (_name, query, expected) => {
    expect(addressValidityMs(`https://files.example/a.exe${query}`, now)).toBe(expected);
  });
});
