/** Must be imported before modules that read the page's address, which tests outside a browser do not have. */
Object.assign(globalThis, { location: new URL("http://hub.test/terminal/") });
