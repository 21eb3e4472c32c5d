import { networkInterfaces } from "node:os";
import { discoverHubs } from "@comanda/terminal/node";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openRestaurant } from "../support/restaurant.ts";

it("[CLIENT-61] finds a hub that announces itself, where there is a network", async () => {
  const name = `Comanda test ${process.pid}`;
  const restaurant = await openRestaurant({ HUB_MDNS_ENABLED: "true", HUB_HOST: "0.0.0.0", HUB_NAME: name });
  try {
    const port = new URL(restaurant.hubSocketUrl).port;
    const cards = Object.values(networkInterfaces()).flatMap((card) => card ?? []);
    const isNetworked = cards.some(({ internal, family }) => !internal && family === "IPv4");
    const find = async () => (await discoverHubs({ withinMs: 1_000 })).find((hub) => hub.name === name);
    if (!isNetworked) return expect(await find()).toBeUndefined();
    await eventually(find).toMatchObject({ protocol: 1 });
    const found = await find();
    expect(found?.urls[0]).toMatch(new RegExp(`^ws://[\\d.]+:${port}$`));
  } finally {
    await restaurant.close();
  }
});
