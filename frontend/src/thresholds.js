// The threshold explorer.  Every number was computed in Python and is only looked up here: the page
// holds, for each score column, one array per quantity with one entry per operating point.
import {drawCharts} from "./charts.js";
import {showPoint} from "./readout.js";

const byId = (id) => document.getElementById(id);
const state = {subject: 0, point: 0, charts: []};
let page;

export function connectThresholds(data) {
  page = data;
  connectControls();
  chooseSubject(0);
  redrawOnResize();
}

function subject() {
  return page.subjects[state.subject];
}

function choosePoint(index) {
  state.point = Math.max(0, Math.min(subject().threshold.length - 1, index));
  byId("slider").value = state.point;
  showPoint(subject(), state.point);
  for (const chart of state.charts) chart.mark(state.point);
}

function chooseSubject(index) {
  const before = subject().threshold[state.point];
  state.subject = index;
  byId("slider").max = subject().threshold.length - 1;
  for (const block of document.querySelectorAll("[data-subject]")) {
    block.hidden = Number(block.dataset.subject) !== index;
  }
  state.charts = drawCharts(page, index, choosePoint);
  const same = subject().threshold.indexOf(before);
  choosePoint(same > 0 ? same : subject().start);
}

function connectControls() {
  byId("slider").addEventListener("input", (event) => choosePoint(event.target.valueAsNumber));
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => choosePoint(state.point + Number(button.dataset.step)));
  }
  for (const button of document.querySelectorAll("[data-point]")) {
    button.addEventListener("click", () => choosePoint(Number(button.dataset.point)));
  }
  for (const radio of document.querySelectorAll("input[name=subject]")) {
    radio.addEventListener("change", () => chooseSubject(Number(radio.value)));
  }
}

function redrawOnResize() {
  let width = byId("charts").clientWidth;
  new ResizeObserver(() => {
    if (byId("charts").clientWidth === width) return;
    width = byId("charts").clientWidth;
    state.charts = drawCharts(page, state.subject, choosePoint);
    for (const chart of state.charts) chart.mark(state.point);
  }).observe(byId("charts"));
}
