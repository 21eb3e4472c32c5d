import { expect, it } from "vitest";
import { redactUrl } from "./redact-url.ts";

it.each([
  ["https://example.test", "https://example.test"],
  ["http://192.168.1.40:5678/hook/", "http://192.168.1.40:5678/hook/"],
  ["https://ana:secret@example.test/hook", "https://***@example.test/hook"],
  ["https://secret@example.test/hook", "https://***@example.test/hook"],
  ["https://:secret@example.test/hook", "https://***@example.test/hook"],
  ["https://example.test/hook?token=secret&x=1", "https://example.test/hook?***"],
  ["https://example.test/hook?secret", "https://example.test/hook?***"],
  ["https://example.test/hook#secret", "https://example.test/hook"],
  ["https://a:secret@[::1]:8443/a%20b?secret#secret", "https://***@[::1]:8443/a%20b?***"],
  ["secret", "***"],
])("the URL %s is shown as %s [HOOK-35]", (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});
