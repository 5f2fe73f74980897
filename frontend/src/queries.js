// The query explorer: two runs against each other, or one run's queries in the order of their value.
// Every value and every rank is text that Python wrote; the script sorts, draws and looks up.
import {axisX, axisY, dot, gridX, gridY, line, plot} from "@observablehq/plot";
import {CLASS_NAME} from "./class_name.js";

const byId = (id) => document.getElementById(id);
const colour = (run) => `var(--series-${run % 6})`;
const number = (text) => (text === null ? NaN : Number(text.replaceAll(",", "")));
const QUIET_MS = 400;

let page;
let announcement;
const state = {metric: 0, runs: [0, 0], order: [], at: 0, marker: null};

export function connectQueries(queries) {
  page = queries;
  connect("query-metric", () => (state.metric = Number(byId("query-metric").value)));
  for (const [side, id] of [[0, "query-first"], [1, "query-second"]]) {
    connect(id, () => (state.runs[side] = Number(byId(id).value)));
  }
  byId("query-slider").addEventListener("input", (event) => choose(event.target.valueAsNumber));
  for (const button of document.querySelectorAll("[data-query-step]")) {
    button.addEventListener("click", () => choose(state.at + Number(button.dataset.queryStep)));
  }
  for (const anchor of document.querySelectorAll("[data-query]")) {
    anchor.addEventListener("click", () => {
      if (anchor.dataset.pair) showPair(anchor.dataset.pair.split(" ").map(Number));
      find(anchor.dataset.query);
    });
  }
  byId("query-find").addEventListener("input", (event) => find(event.target.value.trim()));
  showPair([...queries.pair]);
  redrawOnResize();
}

function showPair(runs) {
  state.runs = runs;
  for (const [side, id] of [[0, "query-first"], [1, "query-second"]]) {
    if (byId(id)) byId(id).value = runs[side];
  }
  arrange();
}

function connect(id, change) {
  byId(id)?.addEventListener("change", () => {
    change();
    arrange();
  });
}

const isPair = () => state.runs[0] !== state.runs[1];
const valuesOf = (run) => page.values[run][state.metric];
const metric = () => page.metrics[state.metric];

// What the queries are ordered by: the difference of two runs, or the value of one.
function key(query) {
  const [a, b] = state.runs.map((run) => number(valuesOf(run)[query]));
  return isPair() ? a - b : a;
}

function arrange() {
  const before = state.order[state.at];
  state.order = page.ids.map((_, query) => query).filter((query) => !Number.isNaN(key(query)));
  state.order.sort((p, q) => key(p) - key(q) || p - q);
  const slider = byId("query-slider");
  slider.max = Math.max(0, state.order.length - 1);
  const [a, b] = state.runs.map((run) => page.runs[run]);
  byId("query-low").textContent = isPair() ? `better by ${b}` : "lowest";
  byId("query-high").textContent = isPair() ? `better by ${a}` : "highest";
  byId("query-caption").textContent = isPair()
    ? `${metric().title} of every query: ${a} across, ${b} up`
    : `${metric().title} of every query of ${a}, ascending`;
  draw();
  choose(Math.max(0, state.order.indexOf(before)));
}

function point(index) {
  const query = state.order[index];
  const [a, b] = state.runs.map((run) => number(valuesOf(run)[query]));
  return isPair() ? [a, b] : [index + 1, a];
}

function draw() {
  const holder = byId("query-chart");
  const width = Math.max(240, Math.min(620, holder.clientWidth));
  const points = state.order.map((query, index) => [...point(index), query]);
  const ends = metric().domain;
  const [a, b] = state.runs.map((run) => page.runs[run]);
  const figure = plot({
    className: CLASS_NAME,
    width,
    height: Math.round(width * (isPair() ? 0.94 : 0.6)),
    marginLeft: 56,
    marginBottom: 44,
    marginTop: 12,
    marginRight: 14,
    ariaLabel: byId("query-caption").textContent,
    x: {domain: isPair() ? ends : [0, Math.max(1, points.length)]},
    y: {domain: ends},
    marks: [
      gridX({ticks: 5, stroke: "var(--grid)", strokeOpacity: 1}),
      gridY({ticks: 5, stroke: "var(--grid)", strokeOpacity: 1}),
      axisX({ticks: 5, label: isPair() ? a : "Queries, by value", labelArrow: "none",
             labelAnchor: "center", tickSize: 0, labelOffset: 38}),
      axisY({ticks: 5, label: isPair() ? b : null, labelArrow: "none", labelAnchor: "center",
             tickSize: 0, labelOffset: 46}),
      ...(isPair() ? [line([[ends[0], ends[0]], [ends[1], ends[1]]],
                           {stroke: "var(--muted)", strokeDasharray: "2 4"})] : []),
      dot(points, {x: "0", y: "1", r: 4, fillOpacity: 0.5, stroke: "var(--paper)", strokeWidth: 0.5,
                   fill: ([x, y]) => (!isPair() || x > y ? colour(state.runs[0])
                                      : y > x ? colour(state.runs[1]) : "var(--muted)")})
    ]
  });
  holder.replaceChildren(figure);
  addMarker(figure);
  listen(figure);
}

function addMarker(figure) {
  const scale = {x: figure.scale("x"), y: figure.scale("y")};
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.setAttribute("r", 7);
  ring.setAttribute("class", "ring");
  figure.append(ring);
  const place = (index) => {
    const [x, y] = point(index);
    return [scale.x.apply(x), scale.y.apply(y)];
  };
  const mark = (index) => {
    const [x, y] = place(index);
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
  };
  state.marker = {place, mark};
}

function listen(figure) {
  figure.addEventListener("pointerdown", (event) => {
    const box = figure.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let nearest = 0;
    let best = Infinity;
    for (let index = 0; index < state.order.length; index++) {
      const [px, py] = state.marker.place(index);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < best) [nearest, best] = [index, distance];
    }
    choose(nearest);
  });
}

// The query of this id, or the first one that begins with what was typed.
function find(text) {
  const among = (test) => state.order.findIndex((query) => test(page.ids[query]));
  let index = among((id) => id === text);
  if (index < 0 && text) index = among((id) => id.startsWith(text));
  byId("query-missing").textContent = text && index < 0 ? "No query drawn here begins so." : "";
  if (index >= 0) choose(index);
}

function choose(index) {
  state.at = Math.max(0, Math.min(state.order.length - 1, index));
  byId("query-slider").value = state.at;
  if (!state.order.length) return;
  const query = state.order[state.at];
  byId("query-id").textContent = page.ids[query];
  byId("query-runs").replaceChildren(...shownRuns().flatMap((run) => runEntry(run, query)));
  showValues(query);
  state.marker.mark(state.at);
  const spoken = sentence(query);
  byId("query-slider").setAttribute("aria-valuetext", spoken);
  clearTimeout(announcement);
  announcement = setTimeout(() => (byId("announcement").textContent = spoken), QUIET_MS);
}

const shownRuns = () => (isPair() ? state.runs : [state.runs[0]]);

function runEntry(run, query) {
  const term = element("dt", page.runs[run], `series-${run % 6}`);
  term.prepend(element("span", "", "swatch"));
  return [term, element("dd", page.ranks[run][query])];
}

function showValues(query) {
  const heads = ["Metric", ...shownRuns().map((run) => page.runs[run])];
  if (isPair()) heads.push("Difference");
  byId("query-head").replaceChildren(
    ...heads.map((text, column) => cell("th", text, column > 0 ? "number" : ""))
  );
  byId("query-values").replaceChildren(
    ...page.metrics.map((one, index) => {
      const row = element("tr", "", index === state.metric ? "current" : "");
      const values = shownRuns().map((run) => page.values[run][index][query]);
      row.append(cell("th", one.title, "", "row"));
      row.append(...values.map((text) => cell("td", text ?? "none", "number")));
      if (isPair()) row.append(cell("td", difference(values), "number"));
      return row;
    })
  );
}

function difference(values) {
  if (values.includes(null)) return "none";
  const apart = number(values[0]) - number(values[1]);
  return (apart > 0 ? "+" : "") + apart.toFixed(4);
}

function sentence(query) {
  const told = shownRuns().map(
    (run) => `${page.runs[run]} ${valuesOf(run)[query]}, ${page.ranks[run][query]}`
  );
  return [`Query ${page.ids[query]}, ${metric().title}`, ...told].join("; ");
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function cell(name, text, className, scope = "col") {
  const made = element(name, text, className);
  if (name === "th") made.scope = scope;
  return made;
}

function redrawOnResize() {
  const holder = byId("query-chart").parentElement;
  let width = holder.clientWidth;
  new ResizeObserver(() => {
    if (holder.clientWidth === width) return;
    width = holder.clientWidth;
    draw();
    state.marker.mark(state.at);
  }).observe(holder);
}
