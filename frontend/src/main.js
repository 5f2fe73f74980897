// The script of all reports: each page says in its data which of the explorers it has.
import {connectQueries} from "./queries.js";
import {connectTheme} from "./theme.js";
import {connectThresholds} from "./thresholds.js";

const data = document.getElementById("page-data"); // absent where nothing can be explored
const page = data ? JSON.parse(data.textContent) : {};
const theme = document.getElementById("theme");

if (theme) connectTheme(theme);
if (page.subjects?.length || page.queries) {
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  for (const element of document.querySelectorAll("[data-without-script]")) element.hidden = true;
}
if (page.subjects?.length) connectThresholds(page);
if (page.queries) connectQueries(page.queries);
