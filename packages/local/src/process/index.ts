export { endGroup } from "./end-group.ts";
export { type KnownGroup, knownGroup, livingGroups, outliveGroups } from "./known-group.ts";
export { ProcessGroups } from "./process-groups.ts";
export { type FamilyUse, familyOf, familyUse, groupsBelow } from "./process-table.ts";
export { groupExists, signalGroup } from "./signal-group.ts";
