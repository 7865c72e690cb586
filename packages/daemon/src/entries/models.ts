/** The models available to the user of a daemon. */

export { userModels, userProviders } from "../models/user-providers.ts";
