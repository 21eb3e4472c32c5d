import { expect, it } from "vitest";
import { restoreDrafts, withDrafts } from "./drafts.ts";

function page(href: string) {
  const stored: Record<string, string> = {};
  const location = { href };
  const sessionStorage = { setItem: (key: string, value: string) => void (stored[key] = value) };
  const history = { replaceState: (_state: null, _unused: string, url: string) => void (location.href = url) };
  return { stored, location, sessionStorage, history };
}

it("drafts are carried to the page's new address and removed from it [DESK-29]", () => {
  const moved = page(withDrafts("http://127.0.0.1:9000/#/setup", '[["comanda-draft-setup-step","4"]]'));
  restoreDrafts(moved);
  expect(moved.stored).toEqual({ "comanda-draft-setup-step": "4" });
  expect(moved.location.href).toBe("http://127.0.0.1:9000/#/setup");
});

it("only drafts are accepted from the address [DESK-29]", () => {
  for (const drafts of ['[["comanda-token","x"]]', "nonsense", '{"a":1}', '[["comanda-draft-a",1]]', "[null]"]) {
    const moved = page(withDrafts("http://127.0.0.1:9000/", drafts));
    restoreDrafts(moved);
    expect(moved.stored).toEqual({});
    expect(moved.location.href).toBe("http://127.0.0.1:9000/");
  }
  expect(withDrafts("http://127.0.0.1:9000/", "[]")).toBe("http://127.0.0.1:9000/");
  expect(withDrafts("http://127.0.0.1:9000/", "x".repeat(9_000))).toBe("http://127.0.0.1:9000/");
});
