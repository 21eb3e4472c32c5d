import { expect, it } from "vitest";
import { describeProblem, redactAddresses } from "./redact-addresses.ts";

it.each([
  [
    'Cannot download "https://files.example/a/b.exe?X-Amz-Signature=abc&x=1", status 500: Oops',
    'Cannot download "https://files.example/…", status 500: Oops',
  ],
  [
    "method: GET url: http://127.0.0.1:80/a?signature=s\n\nHeaders",
    "method: GET url: http://127.0.0.1:80/…\n\nHeaders",
  ],
  ["https://me:pw@files.example/a", "https://files.example/…"],
  ["path /a/b.exe?sig=abc failed", "path /a/b.exe?… failed"],
  ["is it there? yes", "is it there? yes"],
])("addresses are redacted in: %s [UPD-68]", (text, expected) => {
  expect(redactAddresses(text)).toBe(expected);
});

it("a problem is described by one line of its error, with the key ids if they differ [UPD-68]", () => {
  const error = Object.assign(new Error("The signature was created with a different key than the one provided"), {
    detail: "signed with key A, expected B",
  });
  expect(describeProblem(error)).toBe(
    "The signature was created with a different key than the one provided (signed with key A, expected B)",
  );
  expect(describeProblem(new Error("first\nsecond"))).toBe("first");
});
