import { mkdirSync, writeFileSync } from "node:fs";
import { apiReference } from "./api-reference.mjs";
import { coveragePage } from "./coverage-page.mjs";
import { driftPages } from "./drift-pages.mjs";
import { writeOpenApi } from "./openapi.mjs";
import { protocolReference } from "./protocol-reference.mjs";

const docs = new URL("../docs/", import.meta.url);

writeFileSync(new URL("protocol.md", docs), protocolReference());
writeFileSync(new URL("api.md", docs), apiReference());
writeOpenApi();
writeFileSync(new URL("coverage.md", docs), await coveragePage());
mkdirSync(new URL("drift/", docs), { recursive: true });
for (const [name, text] of driftPages()) writeFileSync(new URL(`drift/${name}`, docs), text);
