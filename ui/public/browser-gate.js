// Says that a browser is too old, in syntax that it reads: the page would stay white.
(function (box) {
  if (typeof Promise !== "undefined" && typeof Promise.withResolvers === "function") return;
  box.style.cssText = "max-width:34em;margin:20vh auto 0;padding:0 16px;font:18px/1.5 sans-serif";
  box.textContent =
    "Este navegador es muy viejo. Actualícelo: Chrome 119, Safari 17.4 o más nuevo. · This browser is too old. Update it: Chrome 119, Safari 17.4 or newer.";
  document.body.appendChild(box);
})(document.createElement("p"));
