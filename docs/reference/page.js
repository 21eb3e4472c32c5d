// Shows the descriptions that this hub serves. Nothing is loaded from elsewhere, and nothing that is typed here is stored.
(function () {
  const documents = [
    {
      slug: "integration",
      title: "Integration API",
      page: "/external/docs",
      url: "/external/openapi.json",
      isHttp: true,
    },
    {
      slug: "terminals",
      title: "Terminal API",
      page: "/terminal/v1/docs",
      url: "/terminal/v1/openapi.json",
      isHttp: true,
    },
    { slug: "messages", title: "Terminal messages", page: "/terminal/v1/messages", url: "/terminal/v1/asyncapi.yaml" },
  ];
  const scheme = localStorage.getItem("comanda-color-scheme");
  const common = {
    darkMode: scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches),
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    documentDownloadType: "direct",
    // On a phone the bar with the name of a long operation would make the page wider than the screen.
    customCss: "html { overflow-x: clip; }",
    hideClientButton: true,
    // An order that is sent from here would be a real one in the middle of a service.
    hideTestRequestButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  };

  globalThis.Scalar.createApiReference(
    "#reference",
    documents.map(({ page, isHttp, ...source }) => ({
      ...common,
      ...source,
      default: page === location.pathname,
      ...(isHttp && { servers: [{ url: location.origin, description: "this hub" }] }),
    })),
  );
})();
