import { afterEach, describe, expect, it, vi } from "vitest";
import { addressForOthers, handoverLink } from "./handover-link.ts";
import { readHandover } from "./read-handover.ts";

describe("the way to another device", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("the handover link leads to the same place and names whose PIN is needed, and nothing else [TOUCH-61]", () => {
    const link = handoverLink("http://192.168.1.20:8766", { place: "#/check/261122-K7QX2M", personId: 7 });
    expect(link).toBe("http://192.168.1.20:8766/terminal/?who=7#/check/261122-K7QX2M");
    expect(readHandover(new URL(link).search)).toBe("7");
    const anonymous = handoverLink("http://192.168.1.20:8766", { place: "#/floor", personId: undefined });
    expect(anonymous).toBe("http://192.168.1.20:8766/terminal/#/floor");
  });

  it("nothing else in an address is read as a person [TOUCH-61]", () => {
    for (const search of ["", "?name=caja", "?who=", "?who=<b>", `?who=${"7".repeat(65)}`]) {
      expect(readHandover(search), search).toBeNull();
    }
  });

  it("the handover link starts at the page's address or the hub found by the desktop app, not on the hub's PC [TOUCH-61]", async () => {
    const at = (origin: string, desktopTerminal?: object) => {
      vi.stubGlobal("location", { origin });
      vi.stubGlobal("window", { desktopTerminal });
      return addressForOthers();
    };
    for (const own of ["http://127.0.0.1:8766", "http://localhost:8766", "http://[::1]:8766"]) {
      expect(await at(own), own).toBeNull();
    }
    for (const hub of ["http://192.168.1.20:8766", "http://hub.local:8766"]) {
      expect(await at(hub)).toBe(hub);
      const getHub = () => Promise.resolve({ id: "hub-1", name: "Comanda", url: hub });
      const locateHub = () => Promise.resolve(hub);
      expect(await at("app://terminal", { getHub, locateHub })).toBe(hub);
    }
    const locateHub = () => Promise.reject(new Error("no hub was chosen"));
    expect(await at("app://terminal", { getHub: () => Promise.resolve(null), locateHub })).toBeNull();
  });
});
