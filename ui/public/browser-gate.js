// Says in words that a browser is too old, before the page stays white. Old syntax only: old browsers must read it.
(function () {
  if (typeof Promise !== "undefined" && typeof Promise.withResolvers === "function") return;
  // oxlint-disable-next-line no-var
  var box = document.createElement("p");
  box.style.cssText = "max-width:34em;margin:20vh auto 0;padding:0 16px;font:18px/1.5 sans-serif";
  box.textContent =
    "Este navegador es muy viejo. Actualícelo: Chrome 119, Safari 17.4 o más nuevo. · This browser is too old. Update it: Chrome 119, Safari 17.4 or newer.";
  document.body.appendChild(box);
})();
