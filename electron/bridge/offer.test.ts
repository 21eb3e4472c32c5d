import { desktopPushes } from "@comanda/protocol";
import { expect, it } from "vitest";
import { offerArgument, readOffer } from "./offer.ts";

it("the preload script of a window gets the methods and pushes of its bridge [DESK-14] [DESK-83]", () => {
  const api = { info: () => Promise.resolve(), quit: () => Promise.resolve() };
  const argument = offerArgument({ name: "desktop", api, pushes: desktopPushes });
  expect(argument).toMatch(/^[\w%=-]+$/);
  expect(readOffer(["/opt/comanda-hub", "--type=renderer", argument, "--lang=es"])).toEqual({
    name: "desktop",
    methods: ["info", "quit"],
    pushes: desktopPushes,
  });
});
