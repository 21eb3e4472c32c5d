import plugin from "@scalar/fastify-api-reference";

/**
 * Returns the script that renders the API pages (Scalar), as one file that loads nothing else. It is part of a Fastify plugin,
 * called here without Fastify. Scalar's own package also has the file but installs 284 other packages; the plugin installs 12.
 */
export function docsRenderer(): Promise<string> {
  return new Promise((resolve, reject) => {
    const reply = { header: () => reply, send: resolve };
    const fastify = {
      hasPlugin: () => false,
      route({ url, handler }: Route) {
        if (url.endsWith(".js")) handler({}, reply);
      },
    };
    const start = plugin as unknown as (instance: typeof fastify, options: object, done: () => void) => Promise<void>;
    const missing = () => reject(new Error("@scalar/fastify-api-reference serves no script"));
    start(fastify, { routePrefix: "/docs", configuration: { url: "/openapi.json" } }, missing).catch(reject);
  });
}

interface Route {
  url: string;
  handler(request: object, reply: object): void;
}
