import { expect, it } from "vitest";
import { settingNames } from "../settings.ts";
import { unknownSettings } from "./unknown-settings.ts";

it.each([
  ["HUB_PORT", "HUB_HTTP_PORT"],
  ["HUB_HTTP_PROT", "HUB_HTTP_PORT"],
  ["HUB_BACKUPDIR", "HUB_BACKUP_DIR"],
  ["HUB_DATABASE_PATH", "HUB_DB_PATH"],
  ["ERP_PASSWD", "ERP_PASSWORD"],
])("for the unknown setting %s, %s is suggested [HUB-244]", (name, meant) => {
  expect(unknownSettings({ [name]: "x" }, settingNames)).toEqual([
    `${name} is no setting and is ignored: is ${meant} meant?`,
  ]);
});

it("known settings and other programs' variables are not reported [HUB-244]", () => {
  const environment = { HUB_NAME: "La Casita", PATH: "/bin", HUBBLE: "1", HUB: "1", HQ_PROT: "1" };
  expect(unknownSettings(environment, settingNames)).toEqual([]);
});
