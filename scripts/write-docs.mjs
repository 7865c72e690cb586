import { writeFileSync } from "node:fs";
import { protocolReference } from "./protocol-reference.mjs";

writeFileSync(new URL("../docs/protocol.md", import.meta.url), protocolReference());
