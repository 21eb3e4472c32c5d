// Sets theme and language before the first paint. Not inline: the page's policy forbids that.
(function () {
  const html = document.documentElement;
  try {
    const scheme = localStorage.getItem("comanda-color-scheme");
    const dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    html.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
    const language = localStorage.getItem("comanda-language");
    if (language === "en" || language === "es") html.lang = language;
  } catch {
    html.setAttribute("data-mantine-color-scheme", "light");
  }
})();
