/** Runs before a page's own scripts: sets its clock an hour ahead of the hub's. */
export function anHourAhead(): void {
  const real = Date.now;
  const wrong = () => real() + 3_600_000;
  window.Date = new Proxy(Date, {
    construct: (target, options) => Reflect.construct(target, options.length === 0 ? [wrong()] : options),
    get: (target, name) => (name === "now" ? wrong : Reflect.get(target, name)),
  });
}
