// Observable Plot writes this class into a style sheet of its own; a fixed name gives that sheet a
// fixed hash, which the page's content security policy can name.
export const CLASS_NAME = "veridical-chart";
