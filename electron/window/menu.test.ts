import { expect, it } from "vitest";
import { applicationMenu } from "./menu.ts";
import { textsOf } from "./texts.ts";

const rolesOf = (platform: NodeJS.Platform) =>
  JSON.stringify(applicationMenu(platform, textsOf("es"), () => undefined));

it("the menu zooms the page and quits the app by keyboard on every system [DESK-15]", () => {
  for (const platform of ["win32", "linux", "darwin"] as const) {
    for (const role of ["zoomIn", "zoomOut", "resetZoom", "togglefullscreen"])
      expect(rolesOf(platform)).toContain(role);
  }
  expect(rolesOf("win32")).toContain('"accelerator":"Control+Q"');
  expect(rolesOf("darwin")).toContain('"role":"appMenu"');
});

it("the menu has no developer tools [DESK-15]", () => {
  for (const platform of ["win32", "linux", "darwin"] as const)
    expect(rolesOf(platform)).not.toMatch(/devtools|viewMenu/i);
});
