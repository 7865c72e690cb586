import { v10Table } from "./claude_code_v1_0_x/table.ts";
import { v11Table } from "./claude_code_v1_1_x/table.ts";
import { v20Table } from "./claude_code_v2_0_x/table.ts";
import { v21Table } from "./claude_code_v2_1_x/table.ts";
import type { Table } from "./contract.ts";
import { dartTable } from "./dart/table.ts";
import { jsonrpcTable } from "./jsonrpc/table.ts";
import { miriadTable } from "./miriad/table.ts";

/** Every folder of fixtures with its contracts. */
export const TABLES: readonly Table[] = [
  v10Table,
  v11Table,
  v20Table,
  v21Table,
  miriadTable,
  jsonrpcTable,
  dartTable,
];
