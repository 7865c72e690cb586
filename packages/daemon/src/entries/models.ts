/** The models that the user of a daemon has. */

export { userModels, userProviders } from "../models/user-providers.ts";
