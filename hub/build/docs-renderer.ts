import plugin from "@scalar/fastify-api-reference";

/**
 * The script that draws the pages of the APIs (Scalar), as one file that loads nothing. The package carries it inside a
 * plugin for Fastify, which serves it under a path of its own: asked for here without Fastify. Scalar's own package has it
 * as a file, but installs 284 others for those who build with its parts; the plugin installs 12.
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
