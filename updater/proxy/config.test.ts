import { expect, it } from "vitest";
import { readProxyConfig } from "./config.ts";

it("an empty or blank setting of the update proxy has its default [HUB-285]", () => {
  const source = { UPDATE_SOURCE: "github:a/b" };
  const empty = readProxyConfig({ ...source, UPDATE_HOST: " ", UPDATE_PORT: "", UPDATE_CACHE_MS: " " });
  expect(empty).toEqual(readProxyConfig(source));
});
