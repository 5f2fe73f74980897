// The four charts.  Domains, references and labels come from Python (page.charts); the curves are
// columns of the score columns' operating points.
import {axisX, axisY, dot, gridX, gridY, line, link, plot, text} from "@observablehq/plot";
import {CLASS_NAME} from "./class_name.js";

const CURVES = {
  roc: {x: "fpr", y: "recall", curve: "linear"},
  precision_recall: {x: "recall", y: "precision", curve: "step-before"},
  cost: {x: "x", y: "cost", curve: "step-after"}
};
const colour = (index) => `var(--series-${index % 6})`;
const number = (value) => (value === null ? NaN : Number(value));

const powerOfTen = (value) => (value < 1e-4 ? value.toExponential() : String(value));

function decades([low, high]) {
  const found = [];
  for (let e = Math.round(Math.log10(low)); e <= Math.log10(high); e++) found.push(10 ** e);
  return found;
}

export function drawCharts(page, selected, choosePoint) {
  const drawn = [];
  for (const holder of document.querySelectorAll("[data-chart]")) {
    const kind = holder.dataset.chart;
    const chart = page.subjects[selected].charts[kind];
    if (!chart) {
      const sentence = document.createElement("p");
      sentence.className = "absent";
      sentence.textContent = holder.dataset.absent;
      holder.replaceChildren(sentence);
      continue;
    }
    const figure = draw(holder, chart, marksOf(kind, chart, page, selected));
    holder.replaceChildren(figure);
    const marker = addMarker(figure, kind, chart, page.subjects[selected]);
    if (kind in CURVES) listen(figure, marker, choosePoint);
    drawn.push(marker);
  }
  return drawn;
}

function draw(holder, chart, marks) {
  const width = Math.max(240, holder.clientWidth);
  const {x, y} = chart;
  const ticks = x.log ? decades(x.domain) : 5;
  return plot({
    className: CLASS_NAME,
    width,
    height: Math.round(width * 0.78),
    marginLeft: y.money ? 64 : 46,
    marginBottom: 42,
    marginTop: 12,
    marginRight: 14,
    ariaLabel: chart.description,
    x: {type: x.log ? "log" : "linear", domain: x.domain, clamp: x.log},
    y: {domain: y.domain},
    marks: [
      gridX({ticks, stroke: "var(--grid)", strokeOpacity: 1}),
      gridY({ticks: 5, stroke: "var(--grid)", strokeOpacity: 1}),
      axisX({ticks, tickFormat: x.log ? powerOfTen : undefined, label: x.label, labelArrow: "none",
             labelAnchor: "center", tickSize: 0, labelOffset: 36}),
      axisY({ticks: 5, tickFormat: y.money ? "~s" : undefined, label: null, tickSize: 0}),
      ...chart.references.map((reference) =>
        line(reference.points, {stroke: "var(--muted)", strokeDasharray: "2 4", clip: true})
      ),
      ...chart.references.map((reference) =>
        text([reference], {
          x: reference.at[0],
          y: reference.at[1],
          text: "label",
          textAnchor: reference.anchor,
          dx: reference.anchor === "end" ? -6 : 6,
          dy: reference.below ? 9 : -8,
          fill: "var(--muted)",
          stroke: "var(--paper)",
          strokeWidth: 4
        })
      ),
      ...marks
    ]
  });
}

function marksOf(kind, chart, page, selected) {
  if (kind === "reliability") return reliabilityMarks(chart, selected);
  const order = page.subjects.map((_, index) => index).filter((index) => index !== selected);
  return [...order, selected]
    .filter((index) => page.subjects[index].charts[kind])
    .map((index) =>
      line(curvePoints(kind, chart, page.subjects[index]), {
        curve: CURVES[kind].curve,
        stroke: colour(index),
        strokeWidth: index === selected ? 2.25 : 1.25,
        strokeOpacity: index === selected ? 1 : 0.45,
        clip: true
      })
    );
}

function curvePoints(kind, chart, subject) {
  const {x, y} = CURVES[kind];
  const points = subject[x].map((value, i) => [number(value), number(subject[y][i])]);
  // Flag nothing has neither a threshold nor a precision: the first step starts at the edge.
  if (kind === "cost") points[0][0] = chart.x.domain[1];
  if (kind === "precision_recall") points[0] = [0, points[1]?.[1]];
  // A logarithmic axis has no zero: such points stand at its edge.
  return chart.x.log ? points.map(([a, b]) => [Math.max(a, chart.x.domain[0]), b]) : points;
}

function reliabilityMarks(chart, selected) {
  const bars = chart.bins.filter((bin) => bin.low !== null);
  return [
    link(bars, {x1: "forecast", x2: "forecast", y1: "low", y2: "high", stroke: colour(selected), strokeWidth: 2}),
    dot(chart.bins, {x: "forecast", y: "rate", r: 4, fill: colour(selected), stroke: "var(--paper)"})
  ];
}

function addMarker(figure, kind, chart, subject) {
  const scale = {x: figure.scale("x"), y: figure.scale("y")};
  const layer = append(figure, "g", {class: "marker"});
  const across = append(layer, "line", {});
  const ring = kind === "reliability" ? null : append(layer, "circle", {r: 6});
  const [left, right] = scale.x.range;
  const [bottom, top] = scale.y.range;
  set(across, {y1: bottom, y2: top});
  const points = kind === "reliability" ? [] : curvePoints(kind, chart, subject);
  const isDefined = (i) => kind === "reliability" || subject[CURVES[kind].y][i] !== null;

  function position(i) {
    const [x, y] = kind === "reliability" ? [number(subject.x[i]), 0] : points[i];
    return [scale.x.apply(x), scale.y.apply(y)];
  }

  function mark(i) {
    const [x, y] = position(i);
    // Nothing to point at: undefined (precision of no flag), or off the chart (a cost beyond the
    // axis, an infinite score).
    const inside =
      isDefined(i) && x >= left - 1 && x <= right + 1 && y <= bottom + 1 && y >= top - 1;
    layer.toggleAttribute("hidden", !inside);
    if (!inside) return;
    set(across, {x1: x, x2: x});
    if (ring) set(ring, {cx: x, cy: y});
  }
  return {mark, position, count: subject.threshold.length};
}

function listen(figure, marker, choosePoint) {
  const choose = (event) => {
    const box = figure.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    let nearest = 0;
    let best = Infinity;
    for (let i = 0; i < marker.count; i++) {
      const [px, py] = marker.position(i);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < best) [nearest, best] = [i, distance];
    }
    choosePoint(nearest);
  };
  figure.addEventListener("pointerdown", (event) => {
    figure.setPointerCapture(event.pointerId);
    choose(event);
  });
  figure.addEventListener("pointermove", (event) => {
    if (figure.hasPointerCapture(event.pointerId)) choose(event);
  });
}

function append(parent, name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  return parent.appendChild(element);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
