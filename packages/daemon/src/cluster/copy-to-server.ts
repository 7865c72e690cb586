import { nodeId } from "../store/open-store.ts";
import { type CopiedStore, copyStore } from "../store/postgres/copy-store.ts";
import { type ClusterConfig, isSharedFolder } from "./cluster-settings.ts";

/** Copies the store of a folder into an empty database, owned by the node that the folder's daemon will be. */
export const copyToServer = (folder: string, url: string, config: ClusterConfig): Promise<CopiedStore> =>
  copyStore(folder, url, { id: nodeId(folder), isShared: isSharedFolder(config) });
