import { expect, it } from "vitest";
import { restoreLanguage, withLanguage } from "./page-language.ts";

function page(href: string) {
  const stored: Record<string, string> = {};
  const location = { href };
  const localStorage = { setItem: (key: string, value: string) => void (stored[key] = value) };
  const history = { replaceState: (_state: null, _unused: string, url: string) => void (location.href = url) };
  return { stored, location, localStorage, history };
}

it("the operator's language is carried to the page's address and removed from it [DESK-68]", () => {
  const opened = page(withLanguage("http://127.0.0.1:9000/#/orders", "es"));
  restoreLanguage(opened);
  expect(opened.stored).toEqual({ "comanda-language": "es" });
  expect(opened.location.href).toBe("http://127.0.0.1:9000/#/orders");
});

it("only a known language is stored, and other addresses stay as they are [DESK-68]", () => {
  const odd = page("http://127.0.0.1:9000/?lang=fr");
  restoreLanguage(odd);
  expect(odd.stored).toEqual({});
  expect(odd.location.href).toBe("http://127.0.0.1:9000/");
  expect(withLanguage("app://desktop/", "es")).toBe("app://desktop/");
});
