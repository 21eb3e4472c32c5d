import { expect, it } from "vitest";
import { presentSettings, requireAllowedChange } from "./change-settings.ts";

it("a blank setting is shown with its default, as the hub reads it [OP-28]", () => {
  const file = { HUB_RETENTION_DAYS: "", HUB_TILL_TOLERANCE: "5", ERP_USER: "" };
  const settings = presentSettings({ environment: { HUB_HISTORY_DAYS: "" }, file }, true);
  const of = (name: string) => settings.find((setting) => setting.name === name);
  expect(of("HUB_RETENTION_DAYS")).toMatchObject({ value: "400", set: true, source: "default" });
  expect(of("HUB_HISTORY_DAYS")).toMatchObject({ value: "60", set: true, source: "environment", changeable: false });
  expect(of("HUB_TILL_TOLERANCE")).toMatchObject({ value: "5", source: "file" });
  // An empty user is a valid value.
  expect(of("ERP_USER")).toMatchObject({ value: "", set: false, source: "file" });
});

it("another back-office needs no password while none is stored [OP-80]", () => {
  const change = (file: Record<string, string>) => () => {
    const sources = { environment: {}, file };
    requireAllowedChange({ ERP_URL: "https://pos.example" }, sources, { canSave: true, isRemote: true });
  };
  expect(change({ ERP_URL: "https://old.example" })).not.toThrow();
  expect(change({ ERP_URL: "https://old.example", ERP_USER: "hub", ERP_PASSWORD: "x" })).toThrow("ERP_PASSWORD");
});
