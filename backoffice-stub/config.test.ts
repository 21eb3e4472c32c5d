import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

it("an empty or blank setting of the stand-in has its default [HUB-285]", () => {
  const empty = readConfig({ BACKOFFICE_HOST: "", BACKOFFICE_PORT: " ", BACKOFFICE_DB_PATH: "" });
  expect(empty).toEqual(readConfig({}));
});
