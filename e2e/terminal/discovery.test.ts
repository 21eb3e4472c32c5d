import { discoverHubs } from "@comanda/terminal/node";
import { it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startBackOfficeInProcess } from "../support/back-office-in-process.ts";
import { openRestaurant } from "../support/restaurant.ts";

it("a terminal discovers a hub that announces itself, with the address it listens on [CLIENT-61] [DISC-1]", async () => {
  const name = `Comanda test ${crypto.randomUUID().slice(0, 8)}`;
  // A hub that listens on one address is announced only there: nothing of this leaves the machine.
  const restaurant = await openRestaurant({ HUB_MDNS_ENABLED: "true", HUB_NAME: name }, startBackOfficeInProcess);
  try {
    const find = async () =>
      (await discoverHubs({ withinMs: 1_000, interface: "127.0.0.1" })).find((hub) => hub.name === name);
    await eventually(find).toMatchObject({ protocol: 1, urls: [restaurant.hubSocketUrl] });
  } finally {
    await restaurant.close();
  }
});
