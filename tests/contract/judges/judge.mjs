// Foreign judges of the published contract: node judge.mjs FOLDER OUT
// The official AsyncAPI parser, ajv in strict mode, and TypeScript declarations for the compiler. FOLDER has schema.json,
// asyncapi.json and messages.json (recorded messages: [definition, payload]). Prints what is wrong, one line each.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [folder, out] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), "node_modules", "x.js"));
const { Parser } = require("@asyncapi/parser");
const Ajv = require("ajv/dist/2020").default;
const { compile } = require("json-schema-to-typescript");
const text = (name) => readFileSync(path.join(folder, name), "utf8");
const wrong = (what) => console.log(what);

const { document, diagnostics } = await new Parser().parse(text("asyncapi.json"));
for (const found of diagnostics) wrong(`asyncapi: ${found.code} ${found.message} at ${found.path.join(".")}`);
if (document === undefined) wrong("asyncapi: the parser made no document");
else if (document.version() !== "3.1.0") wrong(`asyncapi: version ${document.version()}`);

const schema = JSON.parse(text("schema.json"));
const ajv = new Ajv({ strict: true, strictRequired: true, allErrors: true, discriminator: true, logger: { log: wrong, warn: wrong, error: wrong } });
ajv.addSchema(schema, "contract");
const checks = {};
for (const name of Object.keys(schema.$defs)) checks[name] = ajv.compile({ $ref: `contract#/$defs/${name}` });
for (const [name, payload] of JSON.parse(text("messages.json"))) {
  const check = checks[name];
  if (!check(payload)) wrong(`ajv: ${name}: ${ajv.errorsText(check.errors)}`);
}
const made = await compile(schema, "AnyMessage", { bannerComment: "", additionalProperties: false, unreachableDefinitions: true });
writeFileSync(path.join(out, "contract.ts"), made);
