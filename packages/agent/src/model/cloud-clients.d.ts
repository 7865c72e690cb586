// The client packages of the clouds are installed only by those who use them.
declare module "@anthropic-ai/bedrock-sdk";
declare module "@anthropic-ai/vertex-sdk";
declare module "@anthropic-ai/foundry-sdk";
declare module "@azure/identity";
