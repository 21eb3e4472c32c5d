import { expect, it } from "vitest";
import { argumentsOfNextStart } from "./next-start.ts";

it("[DESK-173] the app starts again with the same profile and switches, but not hidden and in the saved role", () => {
  const argv = ["/opt/hub.AppImage", "--no-sandbox", "--profile-dir=/srv/hub", "--hidden", "--role=terminal"];
  expect(argumentsOfNextStart(argv)).toEqual(["--no-sandbox", "--profile-dir=/srv/hub"]);
});
