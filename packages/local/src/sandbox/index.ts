export { type Guarded, guardedIn } from "./guarded.ts";
export { closedAddresses, isThisMachine } from "./this-machine.ts";
