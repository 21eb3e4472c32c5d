import type { Plugin } from "vite";

const PREFIX = "virtual:texts/";

/** Makes each given object a module `virtual:texts/{name}`: a page fetches the texts that it shows, in the language it shows. */
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
