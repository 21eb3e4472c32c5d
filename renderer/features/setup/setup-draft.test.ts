import type { DesktopSettings } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createSetupDraft } from "./setup-draft.ts";

const saved: DesktopSettings = {
  language: "es",
  hubName: "Comanda Hub",
  port: 8765,
  backOffice: { url: "https://erp.example", database: "erp", login: "" },
  plugins: [],
  startAtLogin: true,
};

function storage() {
  const stored = new Map<string, string>();
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
}

it("values entered in the first setup are there again after the app was closed, even half an address [UI-504]", () => {
  const browser = storage();
  const entered = { ...saved, hubName: "", backOffice: { ...saved.backOffice, url: "erp.exa" } };
  createSetupDraft({ page: storage(), browser }).write(saved, entered);
  const again = createSetupDraft({ page: storage(), browser });
  expect(again.read({ ...saved, language: "en" })).toEqual(entered);
  again.forget();
  expect(createSetupDraft({ page: storage(), browser }).read(saved)).toBeNull();
});

it("values entered for settings that were saved differently meanwhile are dropped [UI-504]", () => {
  const draft = createSetupDraft({ page: storage(), browser: storage() });
  expect(draft.read(saved)).toBeNull();
  draft.write(saved, { ...saved, hubName: "La Terraza" });
  expect(draft.read({ ...saved, port: 8800 })).toBeNull();
});
