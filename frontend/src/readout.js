// What holds at one operating point: counts, rates with their intervals, money.
const counts = new Intl.NumberFormat("en-US", {maximumFractionDigits: 2});
const wholeMoney = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const cents = new Intl.NumberFormat("en-US", {minimumFractionDigits: 2, maximumFractionDigits: 2});
const QUIET_MS = 400;
let announcement;

export function money(amount) {
  return (Number.isInteger(amount) ? wholeMoney : cents).format(amount);
}

function setText(id, text) {
  const element = document.getElementById(id);
  if (element) element.textContent = text;
}

function showRate(name, subject, i) {
  const value = subject[name][i];
  const low = subject[`${name}_low`][i];
  const high = subject[`${name}_high`][i];
  setText(`${name}-value`, value ?? "undefined");
  setText(`${name}-interval`, low === null ? "" : `${low} to ${high}`);
  const bar = document.getElementById(`${name}-bar`);
  bar.toggleAttribute("hidden", value === null);
  if (value === null) return;
  bar.querySelector("circle").setAttribute("cx", `${value * 100}%`);
  const whisker = bar.querySelector(".whisker");
  whisker.setAttribute("x1", `${(low ?? value) * 100}%`);
  whisker.setAttribute("x2", `${(high ?? value) * 100}%`);
}

function sentence(subject, i) {
  const parts = [
    i === 0 ? "Nothing is flagged" : `Threshold ${subject.threshold[i]}`,
    `${counts.format(subject.flagged[i])} rows flagged`,
    `recall ${subject.recall[i] ?? "undefined"}`,
    `precision ${subject.precision[i] ?? "undefined"}`
  ];
  if (subject.cost[i] !== null) parts.push(`cost ${money(subject.cost[i])}`);
  return parts.join(", ");
}

export function showPoint(subject, i) {
  setText("threshold-value", subject.threshold[i]);
  for (const cell of ["tp", "fp", "fn", "tn", "flagged", "unflagged"]) {
    setText(cell, counts.format(subject[cell][i]));
  }
  for (const name of ["recall", "precision", "fpr"]) showRate(name, subject, i);
  if (subject.cost[i] !== null) setText("cost", money(subject.cost[i]));
  for (const button of document.querySelectorAll("[data-point]")) {
    button.setAttribute("aria-pressed", Number(button.dataset.point) === i);
  }
  const text = sentence(subject, i);
  document.getElementById("slider").setAttribute("aria-valuetext", text);
  // A screen reader already speaks aria-valuetext while the slider moves; the live region repeats
  // it once, after a pause, for whoever uses the buttons or the charts.
  clearTimeout(announcement);
  announcement = setTimeout(() => setText("announcement", text), QUIET_MS);
}
