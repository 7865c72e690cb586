// The clients of the clouds are installed by those who use one.
declare module "@anthropic-ai/bedrock-sdk";
declare module "@anthropic-ai/vertex-sdk";
declare module "@anthropic-ai/foundry-sdk";
declare module "@azure/identity";
