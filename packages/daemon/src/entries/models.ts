/** The models available to the user of a daemon. */

export { userHasClaude, userModels, userProviders } from "../models/user-providers.ts";
