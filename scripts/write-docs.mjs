import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { apiReference } from "./api-reference.mjs";
import { coveragePage } from "./coverage-page.mjs";
import { driftPages } from "./drift-pages.mjs";
import { manPage } from "./man-page.mjs";
import { writeOpenApi } from "./openapi.mjs";
import { protocolReference } from "./protocol-reference.mjs";
import { withSettings } from "./settings-table.mjs";
import { thirdParty } from "./third-party.mjs";

const root = new URL("../", import.meta.url);
const docs = new URL("docs/", root);

writeFileSync(new URL("protocol.md", docs), protocolReference());
writeFileSync(new URL("api.md", docs), apiReference());
writeOpenApi();
const operating = new URL("guides/operating.md", docs);
writeFileSync(operating, withSettings(readFileSync(operating, "utf8")));
writeFileSync(new URL("packages/cli/man/agentwire.1", root), await manPage());
writeFileSync(new URL("THIRD-PARTY.md", root), thirdParty(fileURLToPath(root)));
writeFileSync(new URL("coverage.md", docs), await coveragePage());
mkdirSync(new URL("drift/", docs), { recursive: true });
for (const [name, text] of driftPages()) writeFileSync(new URL(`drift/${name}`, docs), text);
