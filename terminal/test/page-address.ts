/** Imported before a module that reads the page's address, which a test outside of a browser has none of. */
Object.assign(globalThis, { location: new URL("http://hub.test/terminal/") });
