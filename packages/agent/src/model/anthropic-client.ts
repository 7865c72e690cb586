import { BaseAnthropic } from "@anthropic-ai/sdk";

/** What we use of the official client: with its methods for every resource, which these leave out, it is four times as large. */
export { APIError } from "@anthropic-ai/sdk";

/** The client looks for profiles on the disk unless it is told that we bring our own credentials. */
export class OwnCredentials extends BaseAnthropic {
  protected override _shouldResolveDefaultCredentials(): boolean {
    return false;
  }
}
