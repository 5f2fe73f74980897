// Bundles src/main.js into the one script of the HTML report, and writes beside it what a reader
// of the package must be able to check: its sha256, the licences of everything in it, and the
// style sheet that Observable Plot puts into each chart (its hash goes into the page's CSP).
//
//   npm ci && npm run build
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {build} from "esbuild";
import {CLASS_NAME} from "./src/class_name.js";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "src", "veridical", "report", "assets");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
  outdir: assets
});

const licences = licencesOf(Object.values(result.metafile.outputs)[0].inputs);
const script = `/*\n${licences.replaceAll("*/", "* /")}*/\n${result.outputFiles[0].text}`;
const digest = createHash("sha256").update(script).digest("hex");

writeFileSync(join(assets, "charts.js"), script);
writeFileSync(join(assets, "charts.sha256.txt"), `${digest}  charts.js\n`);
writeFileSync(join(assets, "LICENSES.txt"), licences);
writeFileSync(join(assets, "plot.css"), plotStyle());
console.log(`charts.js ${Buffer.byteLength(script)} bytes, sha256 ${digest}`);

function licencesOf(inputs) {
  const names = new Set();
  for (const [path, {bytesInOutput}] of Object.entries(inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found && bytesInOutput > 0) names.add(found[1]);
  }
  const holders = new Map(); // licence text -> the packages that carry exactly this text
  for (const name of [...names].sort()) {
    const folder = join(here, "node_modules", name);
    const {version, license} = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} ships no licence file`);
    const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
    holders.set(text, [...(holders.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...holders].map(([text, packages]) => `${packages.join("\n")}\n\n${text}\n`);
  return `The charts of this report contain the following packages.\n\n${parts.join("\n---\n\n")}`;
}

function plotStyle() {
  const source = readFileSync(join(here, "node_modules/@observablehq/plot/src/plot.js"), "utf8");
  const found = /svg\.append\("style"\)\.text\(\s*`([^`]*)`/.exec(source);
  if (!found) throw new Error("Observable Plot no longer styles its charts in the way known here");
  return found[1].replaceAll("${className}", CLASS_NAME);
}
