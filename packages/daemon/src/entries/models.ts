/** The models that the user of a daemon has. */

export { userProviders } from "../models/user-providers.ts";
