import type { Plugin } from "vite";

const PREFIX = "virtual:texts/";

/** Makes each object a module `virtual:texts/{name}`, so that a page fetches only the texts and the language that it shows. */
export function textModules(modules: Readonly<Record<string, object>>): Plugin {
  return {
    name: "text-modules",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const texts = modules[id.slice(PREFIX.length + 1)];
      if (texts === undefined) this.error(`there are no texts named ${id}`);
      return `export default ${JSON.stringify(texts)};`;
    },
  };
}
