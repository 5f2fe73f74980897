// Formulas in, MathML out: a line of JSON each.  A formula that does not parse gives its error.
import { createInterface } from "node:readline";
import katex from "katex";

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let reply;
  try {
    reply = { html: katex.renderToString(tex, { displayMode: display, output: "mathml", strict: "error" }) };
  } catch (error) {
    reply = { error: error.message };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
