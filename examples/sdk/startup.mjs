import { options, sdk, show } from "./setup.mjs";

// Starts an agent before the prompt is known.
const warm = await sdk.startup({ options: options("query") });
const query = warm.query("Say hello");
show({ models: (await query.supportedModels()).length > 0, account: typeof (await query.accountInfo()) });
for await (const message of query) show(message);
